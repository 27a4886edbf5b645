-- `lockBefore` waits, but not for ever: it gives up at the date and says so.
-- Look for: the worker's `lock.wait` from 0 to 1, for nothing, and again from 1 to 2, when the lock becomes free.
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
