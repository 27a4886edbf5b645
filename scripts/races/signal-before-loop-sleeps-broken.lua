-- "The loop does not sleep yet, so it needs no wake-up": the worker signals a source of the main loop, and leaves it at that.
-- Fault: if the signal comes after the loop has looked at its sources, the loop goes to sleep with a signalled source, for ever. `rlsim
-- explore` finds: lostWakeup. Under the default schedule the signal comes before the run: all is well.
-- Look for, in the trace that explore finds: `source.signal work` after the main thread's `beforeSources`, and no `source work`.
local work = rl.source{ name = "work", perform = function() rl.mainLoop:stop() end }
rl.mainLoop:addSource(work)
local worker = rl.thread("worker", function() work:signal() end)
worker:start()
rl.yield()
local result = rl.mainLoop:runInMode("default")
worker:join()
rl.expect(result == "stopped", "the source is performed, and stops the run")
--! compare: no, whether the worker has begun when main goes on is a race
