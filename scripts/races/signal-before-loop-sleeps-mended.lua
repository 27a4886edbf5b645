-- The mended signal-before-loop-sleeps: signal, then wake. A wake-up that comes before the loop sleeps is kept until it wants to, and one
-- that comes before the run is not needed, for the first pass looks at the sources anyway. `rlsim explore` finds nothing.
-- Look for: `source.signal work`, then `loop.wakeUp main`, then `source work`.
local work = rl.source{ name = "work", perform = function() rl.mainLoop:stop() end }
rl.mainLoop:addSource(work)
local worker = rl.thread("worker", function()
  work:signal()
  rl.mainLoop:wakeUp()
end)
worker:start()
rl.yield()
local result = rl.mainLoop:runInMode("default")
worker:join()
rl.expect(result == "stopped", "the source is performed, and stops the run")
--! compare: no, whether the worker has begun when main goes on is a race
