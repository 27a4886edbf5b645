-- Reported: a timer that its own callback re-arms for "now + interval" drifts; a repeating timer does not.
-- Right: both are late once, at 2.2, because another callback keeps the loop busy from 1.9 to 2.2. The repeating timer is
-- back on its grid at 3; the re-armed one carries the 0.2 on for ever.
-- Look for: `late=0.200000000` on both at 2.2, and their dates afterwards.
-- Source: https://github.com/dotnet/coreclr/issues/6408, https://github.com/Hammerspoon/hammerspoon/issues/530
local repeatingFires, rearmedFires = {}, {}
local function noteIn(list) list[#list + 1] = ("%g"):format(rl.now()) end

local loop = rl.mainLoop
loop:addTimer(rl.timer{ name = "repeating", fireAt = 1, interval = 1, fire = function() noteIn(repeatingFires) end })
loop:addTimer(rl.timer{ name = "rearmed", fireAt = 1, interval = 1e6, fire = function(timer)
  noteIn(rearmedFires)
  timer:setNextFireDate(rl.now() + 1)
end })
loop:addTimer(rl.timer{ name = "hog", fireAt = 1.9, fire = function() rl.work(0.3) end })
loop:runInMode("default", 5.5)

rl.expect(table.concat(repeatingFires, " ") == "1 2.2 3 4 5", "the repeating timer returns to its grid")
rl.expect(table.concat(rearmedFires, " ") == "1 2.2 3.2 4.2 5.2", "the re-armed timer keeps its lateness")
