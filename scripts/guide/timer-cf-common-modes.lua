-- Listing 3-11: a Core Foundation timer, first at 0.1 and every 0.3 s from then, in the common modes. Here the event-tracking mode is one
-- of them, so the timer fires in both modes.
-- Look for: the mode of the `afterWaiting` before each `timer`: default up to 1.2, eventTracking from then on.
-- (The guide passes 0.1 as an absolute date. There the clock began in 2001, so that its timer fires at once; here it begins at 0.)
local loop = rl.currentLoop()
loop:addCommonMode("eventTracking")

local fires = {}
local timer = rl.timer{ name = "myCFTimer", fireAt = 0.1, interval = 0.3, fire = function()
  fires[#fires + 1] = ("%s@%g"):format(loop:currentMode(), rl.now())
end }
loop:addTimer(timer, "common")
rl.expect(loop:containsTimer(timer, "default") and loop:containsTimer(timer, "eventTracking"), "it is in every common mode")

loop:runInMode("default", 1.2)
loop:runInMode("eventTracking", 0.8)
rl.expect(table.concat(fires, " ") == "default@0.1 default@0.4 default@0.7 default@1 "
  .. "eventTracking@1.3 eventTracking@1.6 eventTracking@1.9", "no fire is missed while the mode changes")
