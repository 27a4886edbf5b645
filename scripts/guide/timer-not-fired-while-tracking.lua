-- While the user drags, the main thread runs its loop in the event-tracking mode, from inside the mouse-down. A timer in the default mode
-- does not fire in that time; it has to wait until the tracking loop has ended.
-- Look for: `timer clock` at 1 and 2, then `mode=eventTracking` from 2.5 to 5.5 without a fire, then one late fire.
local loop = rl.mainLoop
local fires, lastEvent = {}, nil

local mouse = rl.port{ name = "mouse", receive = function(event)
  lastEvent = event
  if event == "down" then
    repeat loop:runMode("eventTracking", rl.distantFuture) until lastEvent == "up"
  end
end }
loop:addPort(mouse, "default")
loop:addPort(mouse, "eventTracking")

local clock = loop:scheduleTimer{ name = "clock", interval = 1, repeats = true, fire = function() fires[#fires + 1] = rl.now() end }

rl.detach("user", function()
  rl.sleepUntil(2.5)
  mouse:send("down")
  rl.sleepUntil(4)
  mouse:send("dragged")
  rl.sleepUntil(5.5)
  mouse:send("up")
end)

loop:runInMode("default", 6.5)
rl.expect(table.concat(fires, " ") == "1.0 2.0 5.5 6.0", "no fire between mouse down and mouse up")
rl.expect(clock:missedCount() == 2, "3 is made up late, 4 and 5 are not")
