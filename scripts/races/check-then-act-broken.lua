-- Two threads take 100 from an account that holds 100, if it is there. Each step is atomic, the two together are not.
-- Fault: both may look before either takes; then the account is overdrawn. `rlsim explore` finds: expectation, and no data race. Under the
-- default schedule one thread is through before the other begins.
-- Look for: the second thread's load, which gives 0, as the first one's `op=add value=0` stands before it; in the trace that explore finds,
-- two loads of 100.
rl.trace{ show = { "thread", "access" } }
local balance = rl.atomic{ name = "balance", value = 100 }
local function withdraw()
  if balance:load() >= 100 then balance:add(-100) end
end
local other = rl.thread("other", withdraw)
other:start()
withdraw()
other:join()
rl.expect(balance:load() >= 0, "the account is not overdrawn")
