-- The mended wait-until-done-deadlock: only one of the two waits. The worker leaves its request with the main thread and goes on to its
-- loop, so it can serve the main thread, which serves the request later. `rlsim explore` finds nothing.
-- Look for: `perform toWorker` and `perform toMain`, in either order.
local served = false
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  rl.performOnMainThread(function() served = true end, { name = "toMain" })
  return loop:runInMode("default", rl.distantFuture, true)
end)
worker:start()
rl.yield()
rl.mainLoop:runInMode("default", 0)
worker:perform(function() end, { wait = true, name = "toWorker" })
local result = worker:join()
rl.mainLoop:runInMode("default", 0)
rl.expect(served and result == "handledSource", "each serves the other")
--! compare: no, main and the worker ask each other at the same moment
