-- A worker asks something of the main queue and waits for it (`sync`); the main thread serves the queue once, and then joins the worker.
-- Fault: if the worker's block comes after that look, the worker waits for the main thread, and the main thread for the worker. `rlsim
-- explore` finds: deadlock. Under the default schedule the block comes before the look: all is well.
-- Look for, in the trace that explore finds: no `queue main`; the cycle main, worker, main.
local served = false
local worker = rl.thread("worker", function()
  rl.mainQueue:sync(function() served = true end)
end)
worker:start()
rl.yield()
rl.mainLoop:runInMode("default", 0)
worker:join()
rl.expect(served, "the main thread serves the worker's block")
--! compare: no, whether the worker has begun when main goes on is a race
