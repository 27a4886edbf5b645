-- A timer that is added to the common modes is added to each mode that has been made common, so it ticks on while the user scrolls.
-- timer-in-one-mode is the same without it.
-- Look for: `timer tick` at 1 and 4 in the default mode, at 2 and 3 in tracking.
local loop = rl.mainLoop
loop:addCommonMode("tracking") -- an app finds that done at its start
local log = {}
local tick = rl.timer{ name = "tick", interval = 1, fire = function()
  log[#log + 1] = ("%s@%g"):format(loop:currentMode(), rl.now())
end }
loop:addTimer(tick, "common")

loop:runInMode("default", 1.5)
loop:runInMode("tracking", 2)
loop:runInMode("default", 1)
rl.expect(table.concat(log, " ") == "default@1 tracking@2 tracking@3 default@4", "it never waits for the mode")
