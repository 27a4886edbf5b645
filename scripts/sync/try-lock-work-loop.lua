-- `tryLock` does not wait. A thread that has other things to do does one piece after the other until it gets the lock.
-- Look for: `lock.busy results` before each of four pieces of other work, no `lock.wait`, and `lock results` at 1.2.
local results = rl.mutex{ name = "results" }
results:lock()

local worker = rl.thread("worker", function()
  local pieces = 0
  while not results:tryLock() do
    rl.work(0.3)
    pieces = pieces + 1
    rl.log("piece", pieces)
  end
  results:unlock()
  return pieces, rl.now()
end)
worker:start()
rl.work(1)
results:unlock()
local pieces, date = worker:join()
rl.expect(pieces == 4 and date == 1.2, "four pieces of other work done while the lock was busy")
