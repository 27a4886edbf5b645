-- Asked: a block is queued for the common modes. Why does the loop have a mode named `common` from then on?
-- Right: queueing a block makes each mode that it names, also one of that name. Nobody can run it, but Foundation's calls ask whether it is
-- empty: while the block is queued `runMode("common")` says true, without a run, and `limitDate("common")` the distant future. Once a common
-- mode has run the block it is empty, and both say what they say of an empty mode.
-- Look for: `result=finished` where `runMode` says true.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (CFRunLoopPerformBlock, _CFRunLoopFinished)
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  rl.expect(#loop:modes() == 1 and not loop:runMode("common", rl.now()), "there is no such mode at first")
  loop:performBlock("common", function() rl.log("block") end)
  rl.expect(table.concat(loop:modes(), " ") == "default common", "the block has made it")
  rl.expect(loop:runMode("common", rl.now()) == true, "not empty, says Foundation, though nothing ran")
  rl.expect(loop:limitDate("common") == rl.distantFuture, "nor is there a limit")
  rl.expect(loop:runInMode("common", 1) == "finished", "it cannot be run")
  rl.expect(loop:runMode("default", rl.now()) == true, "a common mode runs the block")
  rl.expect(not loop:runMode("common", rl.now()), "empty now")
  rl.expect(loop:limitDate("common") == nil, "and so without a limit date")
end)
worker:start()
worker:join()
