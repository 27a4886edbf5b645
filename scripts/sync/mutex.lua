-- A mutex lets one thread at a time into the part that it protects. The second thread comes while the first one computes, and sleeps until
-- the first one unlocks; both withdrawals count.
-- Look for: `lock.wait account holder=first` at 0, and the second thread's `lock account` at 1.
local account = rl.mutex{ name = "account" }
local balance = rl.shared{ name = "balance", value = 100 }

local function withdraw(amount)
  account:lock()
  local before = balance:get()
  rl.work(1) -- room for another thread to come in between
  balance:set(before - amount)
  account:unlock()
end

local first = rl.thread("first", function() withdraw(10) end)
local second = rl.thread("second", function() withdraw(50) end)
first:start()
second:start()
first:join()
second:join()
rl.expect(balance:get() == 40, "both withdrawals count")
rl.expect(rl.now() == 2, "one after the other, a second each")
