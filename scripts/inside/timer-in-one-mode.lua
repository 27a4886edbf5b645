-- A timer in the default mode does not fire while the loop runs in tracking. When the finger is lifted, it fires once for all the dates
-- that it missed, and goes on in its old rhythm. timer-in-common-modes mends that.
-- Look for: nothing between 1.5 and 3.5; then `timer tick fire=2 ... late=1.500000000 missed=1`.
local loop = rl.mainLoop
loop:addCommonMode("tracking")
loop:addSource(rl.source{ name = "touches" }, "tracking")
local log = {}
local tick = loop:scheduleTimer{ name = "tick", interval = 1, fire = function()
  log[#log + 1] = ("%s@%g"):format(loop:currentMode(), rl.now())
end }

loop:runInMode("default", 1.5)
loop:runInMode("tracking", 2)
loop:runInMode("default", 1)
rl.expect(table.concat(log, " ") == "default@1 default@3.5 default@4", "held up by tracking")
rl.expect(tick:missedCount() == 1, "the date 3 got no fire of its own")
