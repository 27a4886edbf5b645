-- The mended lost-stop-before-run: the stop is sent to the worker as a perform. A perform waits in the loop until a run serves it, so it
-- cannot come too early, and the stop is then called from inside the run. `rlsim explore` finds nothing.
-- Look for: `perform stop`, then the worker's `loop.stop` and `run.exit result=stopped`.
local ready = rl.semaphore{ name = "ready" }
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  ready:signal()
  return loop:runInMode("default", rl.distantFuture)
end)
worker:start()
ready:wait()
worker:perform(function() rl.currentLoop():stop() end, { name = "stop" })
rl.expect(worker:join() == "stopped", "the stop ends the worker's run")
--! compare: no, the stop comes when the worker is about to run its loop
