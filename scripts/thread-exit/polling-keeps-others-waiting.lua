--! rlsim: --hide run,activity
-- Waiting for a worker by looking again and again whether it has finished, with a run of the loop that looks and does not wait. On a
-- real machine this eats a processor until the worker is done. In the simulator threads have their turns one after the other, and time
-- moves only when none can run: one that does not wait gives the others no turn. The simulator stops it and says who was ready.
-- Look for: `at=` the line of the run, `ready=worker`. With an `rl.yield()` in the loop the worker gets on; `worker:join()`, or a run with
-- a date ahead, does without polling.
-- Exit code 1, fault busyLoop.
local worker = rl.thread("worker", function() rl.log("done") end)
worker:start()
local loop = rl.currentLoop()
while not worker:isFinished() do
  loop:runMode("default", rl.now())
end
--! compare: no, it loops without end
