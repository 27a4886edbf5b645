-- Two threads perform on each other and wait until done. The main thread serves what has come by then, and performs on the worker.
-- Fault: if the worker's perform comes after that look, each waits for a loop that the other does not run. `rlsim explore` finds: deadlock.
-- Under the default schedule the worker's perform comes before the look: all is well.
-- Look for, in the trace that explore finds: no `perform toMain`; the cycle main, worker, main.
local served = false
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  rl.performOnMainThread(function() served = true end, { wait = true, name = "toMain" })
  return loop:runInMode("default", rl.distantFuture, true)
end)
worker:start()
rl.yield()
rl.mainLoop:runInMode("default", 0)
worker:perform(function() end, { wait = true, name = "toWorker" })
local result = worker:join()
rl.expect(served and result == "handledSource", "each serves the other")
--! compare: no, main and the worker ask each other at the same moment
