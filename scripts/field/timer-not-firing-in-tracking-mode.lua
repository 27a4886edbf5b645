-- Reported: timers pause while the user scrolls, then one late tick arrives.
-- Right: a default-mode timer does not fire while the loop runs in tracking mode (1.5 to 5.5). When default runs again there is one fire
-- for all that was missed, and the grid goes on at 6.
-- Look for: `timer tick fire=2 ... late=` at 5.5.
-- Source: https://github.com/jdg/MBProgressHUD/issues/278, https://github.com/soapyigu/Swift-30-Projects/issues/6,
-- https://github.com/Hammerspoon/hammerspoon/issues/1598
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local keepAlive = rl.source{ name = "keepAlive" }
loop:addSource(keepAlive, "default")
loop:addSource(keepAlive, "tracking")
loop:addTimer(rl.timer{ name = "tick", fireAt = 1, interval = 1, fire = function() note("tick") end }, "default")

note(loop:runInMode("default", 1.5))
note(loop:runInMode("tracking", 4))
note(loop:runInMode("default", 2))
rl.expect(table.concat(log, " ") == "tick@1 timedOut@1.5 timedOut@5.5 tick@5.5 tick@6 tick@7 timedOut@7.5",
  "silent while tracking, then one fire for all that was missed")
