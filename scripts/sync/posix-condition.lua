-- The guide's POSIX condition: the waiter locks, waits while the flag is down, lowers it, does the work and unlocks; the signaller locks,
-- raises the flag, signals and unlocks. The flag makes it right in either order: in the second round the signal comes first, and the waiter
-- does not wait at all.
-- Look for: `condition.wait` and `condition.wake` in the first round, neither in the second one.
local condition = rl.condition{ name = "condition" }
local readyToGo = rl.shared{ name = "readyToGo", value = false }

local function waitOnCondition()
  condition:lock()
  while not readyToGo:get() do condition:wait() end
  readyToGo:set(false)
  rl.log("work at", rl.now())
  condition:unlock()
  return rl.now()
end

local function signalThread()
  condition:lock()
  readyToGo:set(true)
  condition:signal()
  condition:unlock()
end

local early = rl.thread("early", waitOnCondition)
early:start()
rl.sleepUntil(1)
signalThread()
rl.expect(early:join() == 1, "who comes first waits for the signal")

signalThread()
rl.sleepUntil(2)
local late = rl.thread("late", waitOnCondition)
late:start()
rl.expect(late:join() == 2, "who comes later finds the flag raised")
