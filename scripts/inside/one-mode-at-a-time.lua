-- A loop runs in one mode at a time. To go over to tracking, as when the user scrolls, it leaves the default mode, runs in tracking, leaves
-- that, and enters the default mode again. Meanwhile nothing of the other mode happens.
-- Look for: the lines `entry` and `exit`, by turns, and `timer beat` in the default mode only.
local loop = rl.mainLoop
local log = {}
for _, mode in ipairs{ "default", "tracking" } do
  loop:addObserver(rl.observer{ name = mode .. "Observer", activities = { "entry", "exit" }, handler = function(activity)
    log[#log + 1] = activity .. " " .. loop:currentMode()
  end }, mode)
end
loop:addSource(rl.source{ name = "touches" }, "tracking")
local beat = loop:scheduleTimer{ name = "beat", interval = 1, fire = function()
  rl.expect(loop:currentMode() == "default", "a timer of the default mode fires there")
end }

loop:runInMode("default", 1.5)
loop:runInMode("tracking", 2) -- the finger is down
loop:runInMode("default", 1)
rl.expect(table.concat(log, ", ")
  == "entry default, exit default, entry tracking, exit tracking, entry default, exit default", "never two at once")
rl.expect(beat:fireCount() == 3 and beat:missedCount() == 1, "at 1, late at 3.5 for 2 and 3, at 4")
