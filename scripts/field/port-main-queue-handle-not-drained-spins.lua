-- Reported: after the first main-queue block the loop spins, or returns early for ever, because the queue's handle was not cleared when
-- it was served.
-- Right (the sound half of the case; the simulator cannot be told to forget clearing the handle): the first run returns after the block;
-- the second one does not return at once, it fires its timer at 1 and times out at 2.
-- Look for: one `queue main`, and a second run that lasts until 2.
-- Source: https://github.com/gnustep/libs-base/issues/378, https://github.com/swiftlang/swift-corelibs-foundation/pull/2806
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
rl.mainQueue:async(function() note("block") end)
note(loop:runInMode("default", 2, true))
loop:scheduleTimer{ name = "later", fireAt = 1, fire = function() note("timer") end }
note(loop:runInMode("default", 2, true))
rl.expect(table.concat(log, " ") == "block@0 handledSource@0 timer@1 timedOut@2", "the second run finds no stale block")
