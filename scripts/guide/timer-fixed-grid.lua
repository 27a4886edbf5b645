-- A repeating timer keeps to its grid: every 5 seconds from its first date on, although the thread is busy when that date comes. If the
-- thread is busy for so long that several points pass, there is one fire for all of them, and then the grid goes on.
-- Look for: `late=2.000000000` at 7 and the next fire at 10 (not 12); one fire at 26.5 with `missed=2` for 15, 20 and 25; then 30.
local loop = rl.currentLoop()
local fires = {}

local timer = rl.timer{ name = "everyFive", fireAt = 5, interval = 5, fire = function() fires[#fires + 1] = rl.now() end }
loop:addTimer(timer)
loop:scheduleTimer{ name = "shortJob", fireAt = 4, fire = function() rl.work(3) end }
loop:scheduleTimer{ name = "longJob", fireAt = 11, fire = function() rl.work(15.5) end }

loop:runUntil(32)
rl.expect(table.concat(fires, " ") == "7.0 10.0 26.5 30.0", "late fires do not move the grid")
rl.expect(timer:missedCount() == 2, "two points were left out")
rl.expect(timer:nextFireDate() == 35, "the grid goes on")
