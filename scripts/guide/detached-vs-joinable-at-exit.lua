-- When the main thread ends, a detached thread is terminated in the middle of what it does; a joinable one is waited for. So a thread that
-- must finish, one that saves data for example, should be joinable.
-- Look for: the main thread's `thread.exit` at 1; `thread.exit saver` at 5; `thread.terminate` of the detached thread, which needed ten.
local isSaved, isIndexed = false, false

rl.detach("indexer", function()
  rl.work(10)
  isIndexed = true
end)

local saver = rl.thread{ name = "saver", joinable = true, entry = function()
  rl.work(5)
  isSaved = true
  rl.log("saved")
  rl.expect(isSaved and not isIndexed, "the process waits for the saver; the indexer will not get any further")
end }
saver:start()

rl.sleepUntil(1)
rl.expect(not isSaved and not isIndexed, "both are still at work when the main thread ends")
