-- Double-checked locking: look without the lock, and take the lock only if nothing is there yet. It goes wrong when the object is made
-- known before it is filled in, as compiler and processor may do: who comes at that moment finds it by the unlocked look, and uses an empty
-- object. Here the second thread comes later, and all is well; `rlsim explore` finds the other order (faults expectation and dataRace).
-- Look for: `shared.set instance` before `shared.set field`, and the second thread, which takes no lock.
rl.trace{ show = { "thread", "lock", "access" } }
local lock = rl.mutex{ name = "lock" }
local instance = rl.shared{ name = "instance", value = false }
local field = rl.shared{ name = "field", value = 0 }

local function sharedInstanceField()
  if not instance:get() then -- the look without the lock
    lock:lock()
    if not instance:get() then
      instance:set(true) -- the address is known ...
      field:set(42) -- ... before the object is filled in
    end
    lock:unlock()
  end
  return field:get()
end

local function use() rl.expect(sharedInstanceField() == 42, "who gets the object gets it whole") end
local first = rl.thread("first", use)
local second = rl.thread("second", use)
first:start()
second:start()
first:join()
second:join()
