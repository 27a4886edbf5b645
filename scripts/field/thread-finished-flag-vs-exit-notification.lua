-- Reported: a thread is said to be finished before, or after, its things are gone.
-- Right: during `threadWillExit`, which is sent on the ending thread, it is still executing and not finished; others see the same. Only
-- after that it is finished.
-- Look for: `notification threadWillExit` at 0 and `thread.exit` at 1; in between, at 0.5, the main thread asks.
-- Source: https://github.com/gnustep/libs-base (Tests/base/NSThread/late_unregister.m),
-- https://github.com/google/google-toolbox-for-mac/pull/181
local notified = 0
local worker = rl.thread("worker", function() end)
rl.notifications:addObserver("threadWillExit", worker, function()
  notified = notified + 1
  rl.expect(rl.currentThread() == worker, "sent on the ending thread")
  rl.expect(worker:isExecuting() and not worker:isFinished(), "which is not finished yet")
  rl.work(1) -- a long clean-up
end)
worker:start()
rl.sleepUntil(0.5)
rl.expect(worker:isExecuting() and not worker:isFinished(), "nor is it for others, while it cleans up")
worker:join()
rl.expect(rl.now() == 1 and notified == 1, "the end waits for the clean-up")
rl.expect(worker:isFinished() and not worker:isExecuting(), "now it is finished")
