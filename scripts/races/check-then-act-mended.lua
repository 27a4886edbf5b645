-- The mended check-then-act: a lock makes one step of looking and taking. `rlsim explore` finds nothing.
-- Look for: no load of one thread between the `lock` and `unlock` of the other.
rl.trace{ show = { "thread", "lock", "access" } }
local balance = rl.atomic{ name = "balance", value = 100 }
local lock = rl.mutex{ name = "lock" }
local function withdraw()
  lock:lock()
  if balance:load() >= 100 then balance:add(-100) end
  lock:unlock()
end
local other = rl.thread("other", withdraw)
other:start()
withdraw()
other:join()
rl.expect(balance:load() >= 0, "the account is not overdrawn")
