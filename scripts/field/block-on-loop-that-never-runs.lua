-- Reported: completion handlers that are sent to a remembered "current run loop" never run, and who waits for them waits for ever.
-- Right: the worker has ended, and its loop with it: the block is thrown away unexecuted, and the main thread waits for ever. This script
-- ends with exit code 1 and fault stuck: that is what it shows.
-- Look for: no `block` on the worker, and `fault stuck` on the main thread, at 1.
-- Source: https://github.com/ably/ably-cocoa/issues/531, https://github.com/react/react-native/pull/6281,
-- https://github.com/swiftlang/swift-testing/issues/997
local loop
local worker = rl.thread("worker", function() loop = rl.currentLoop() end)
worker:start()
worker:join()

rl.sleepUntil(1)
local completed = rl.semaphore{ name = "completed" }
loop:performBlock(function()
  rl.expect(false, "the block never runs")
  completed:signal()
end)
loop:wakeUp()
completed:wait()
rl.expect(false, "the main thread never gets here")
