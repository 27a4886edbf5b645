-- Asked: what happens when a loop is run in the common modes, or in a mode that nobody ever made?
-- Right: nothing. `common` is a label and no mode; both runs are finished at once, and Foundation's `runMode` says false.
-- Look for: `result=finished`, without any activity.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (CFRunLoopRunSpecific)
local loop = rl.mainLoop
loop:addSource(rl.source{ name = "keepAlive" }, "common")
rl.expect(loop:runInMode("common", 1) == "finished", "the common modes cannot be run")
rl.expect(loop:runInMode("neverCreated", 1) == "finished", "nor can a mode that does not exist")
rl.expect(loop:runMode("common", rl.now() + 1) == false, "runMode says false")
rl.expect(rl.now() == 0, "no time has passed")
