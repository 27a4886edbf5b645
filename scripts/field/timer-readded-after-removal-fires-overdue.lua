-- Reported: a repeating timer that was paused by removing it fires at once when it is added again.
-- Right: removing does not touch its date, so at 3.4 it is overdue: one fire at once for all that was missed, then its grid again.
-- Look for: `timer tick fire=1` at 3.4 with its `late=`.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (CFRunLoopAddTimer)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local tick = rl.timer{ name = "tick", fireAt = 1, interval = 1, fire = function() note("tick") end }
loop:addTimer(tick)
loop:removeTimer(tick)
rl.sleepUntil(3.4)
loop:addTimer(tick)
note(loop:runInMode("default", 2.2))
rl.expect(table.concat(log, " ") == "tick@3.4 tick@4 tick@5 timedOut@5.6", "overdue at once, then the grid")
