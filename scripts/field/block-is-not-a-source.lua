-- Asked: does a run that returns after one source return after a block?
-- Right: no. The block runs at 0 and the run times out at 1.
-- Look for: `block` at 0, `result=timedOut` at 1.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (the tests at the end of a pass)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:addSource(rl.source{ name = "keepAlive" })
loop:performBlock(function() note("block") end)
note(loop:runInMode("default", 1, true))
rl.expect(table.concat(log, " ") == "block@0 timedOut@1", "a block does not end the run")
