-- Reported: a repeating timer made with a first date in the past does not keep that date's phase.
-- Right: it is due at the moment it is made, and its grid starts there: 0, 2, 4 and not 0.5, 2.5, 4.5. Until the first fire the
-- date can still be read as it was given.
-- Look for: the fire dates.
-- Source: https://github.com/swiftlang/swift-corelibs-foundation/issues/4712
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local timer = rl.timer{ name = "phase", fireAt = -5.5, interval = 2, fire = function() note("fire") end }
rl.expect(timer:nextFireDate() == -5.5, "before the first fire the date reads as given")
rl.mainLoop:addTimer(timer)
rl.mainLoop:runInMode("default", 5)
rl.expect(table.concat(log, " ") == "fire@0 fire@2 fire@4", "the grid starts at the moment the timer was made")
