-- Asked: does a thread that is cancelled before it is started run its entry function?
-- Right: no. It is finished and cancelled once it has been started.
-- Look for: `thread.cancel worker`, and no line of the worker itself.
-- Source: https://github.com/swiftlang/swift-corelibs-foundation (Sources/Foundation/Thread.swift)
local entered = false
local worker = rl.thread("worker", function()
  rl.log("never said")
  entered = true
end)
worker:cancel()
worker:start()
rl.sleep(1)
rl.expect(not entered, "the entry function is not run")
rl.expect(worker:isFinished() and worker:isCancelled(), "finished and cancelled")
