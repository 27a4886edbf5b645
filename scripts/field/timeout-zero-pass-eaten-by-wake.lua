-- Reported: a poll reports "nothing" though a timer is a second late.
-- Right: one poll serves one port. In the first poll an observer wakes the loop and is then busy until 2; the wake-up has been ready for
-- longer than the timer, so the poll takes that. The second poll fires the timer.
-- Look for: two runs at 2 (the first one entered at 0), `timer` in the second.
-- Source: https://github.com/qt/qtbase (qeventdispatcher_cf.mm)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:addTimer(rl.timer{ name = "overdue", fireAt = 1, fire = function() note("timer") end })
loop:addObserver(rl.observer{ name = "busy", activities = { "beforeTimers" }, repeats = false, handler = function()
  loop:wakeUp()
  rl.work(2)
end })
note(loop:runInMode("default", 0))
note(loop:runInMode("default", 0))
rl.expect(table.concat(log, " ") == "timedOut@2 timer@2 timedOut@2", "the first poll is spent on the wake-up")
