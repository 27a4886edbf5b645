-- `common` is not a mode but a set of modes. What was added to `common` earlier is added to a mode that joins the set later, too.
-- Look for: no fire in the first run of "tracking" (it is not a common mode then, and has nothing to run for); fires in the second one.
local loop = rl.mainLoop
local fires = {}

local timer = rl.timer{ name = "tick", fireAt = 1, interval = 1, fire = function()
  fires[#fires + 1] = ("%s@%g"):format(loop:currentMode(), rl.now())
end }
loop:addTimer(timer, "common")
rl.expect(loop:containsTimer(timer, "default"), "so far the default mode is the only common one")
rl.expect(not loop:containsTimer(timer, "tracking"), "the tracking mode is not")
rl.expect(loop:runInMode("tracking", 3) == "finished" and rl.now() == 0, "nothing to run for")

loop:addCommonMode("tracking")
rl.expect(loop:containsTimer(timer, "tracking"), "the new common mode has got the timer")
loop:runInMode("tracking", 2.5)
loop:runInMode("default", 1)
rl.expect(table.concat(fires, " ") == "tracking@1 tracking@2 default@3", "it fires in both modes")
