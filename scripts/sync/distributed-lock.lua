-- A distributed lock stands for a resource that processes share, such as a file. It has no waiting: a busy lock is reported, and the caller
-- asks again when it likes. Nobody frees it for a process that has died; `breakLock` does that by force.
-- Look for: `lock.busy file` at 0.75 and 1.5, `lock file` at 2.25, and no `lock.wait`; later `lock.break file`.
local lock = rl.distributedLock{ name = "file" }

local owner = rl.thread("owner", function()
  rl.expect(lock:tryLock(), "a free lock is given at once")
  rl.work(2)
  lock:unlock()
end)
local other = rl.thread("other", function()
  local tries = 0
  repeat
    rl.sleep(0.75)
    tries = tries + 1
    rl.log("try", tries)
  until lock:tryLock()
  lock:unlock()
  return tries, rl.now()
end)
owner:start()
other:start()
local tries, date = other:join()
owner:join()
rl.expect(tries == 3 and date == 2.25, "busy twice, and noticed a little after it became free")

local crashed = rl.thread("crashed", function() lock:tryLock() end)
crashed:start()
crashed:join()
rl.expect(not lock:tryLock(), "still busy: who held it is gone")
lock:breakLock()
rl.expect(lock:tryLock(), "broken by force, it is free")
lock:unlock()
