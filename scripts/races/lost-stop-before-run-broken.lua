-- A stop that comes before the run. The worker says that it is ready just before it runs its loop, and the main thread stops the loop.
-- Fault: if the main thread gets in between, there is no run to be stopped yet, so the stop is lost: the worker then sleeps for ever, and
-- the main thread in its join. `rlsim explore` finds: stuck. Under the default schedule the worker is asleep in its run by then: all is
-- well.
-- Look for, in the trace that explore finds: `loop.stop worker lost=true` before the worker's `run.enter`.
local ready = rl.semaphore{ name = "ready" }
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  ready:signal()
  return loop:runInMode("default", rl.distantFuture)
end)
worker:start()
ready:wait()
worker:loop():stop()
rl.expect(worker:join() == "stopped", "the stop ends the worker's run")
--! compare: no, the stop comes when the worker is about to run its loop
