-- `lockBefore` waits, but not for ever: it gives up at the date and says so.
-- Look for: the worker's `lock.wait` at 0 that ends in `lock.busy ... timedOut=true` at 1, and the next one, which ends in `lock lock` at
-- 2.
local lock = rl.mutex{ name = "lock" }
lock:lock()

local worker = rl.thread("worker", function()
  rl.expect(not lock:lockBefore(1) and rl.now() == 1, "given up at 1")
  rl.expect(lock:lockBefore(3) and rl.now() == 2, "got at 2, when it is free")
  lock:unlock()
end)
worker:start()
rl.work(2)
lock:unlock()
worker:join()
