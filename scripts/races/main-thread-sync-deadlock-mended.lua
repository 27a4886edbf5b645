-- The mended main-thread-sync-deadlock: the worker leaves its block with the main queue and does not wait (`async`). The join always ends,
-- and the main thread serves the queue after it. `rlsim explore` finds nothing.
-- Look for: `queue main`, before or after the worker's `thread.exit`.
local served = false
local worker = rl.thread("worker", function()
  rl.mainQueue:async(function() served = true end)
end)
worker:start()
rl.yield()
rl.mainLoop:runInMode("default", 0)
worker:join()
rl.mainLoop:runInMode("default", 0)
rl.expect(served, "the main thread serves the worker's block")
--! compare: no, main looks at its queue while the worker fills it
