-- Reported: a modal loop that is opened in a timer's callback freezes that timer, and only that one.
-- Right: while T's callback is running, T does not fire in the nested run; O does. The nested run times out at 4.2; T's next fire is at
-- 5, one for all that was missed.
-- Look for: the two levels of `run.enter`/`run.exit`, and who fires between them.
-- Source: https://github.com/qt/qtbase (src/corelib/kernel/qeventdispatcher_cf.mm)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local nested = false
loop:addTimer(rl.timer{ name = "T", fireAt = 1, interval = 1, fire = function()
  note("T")
  if not nested then
    nested = true
    note(loop:runInMode("default", 3.2))
  end
end })
loop:addTimer(rl.timer{ name = "O", fireAt = 1.5, interval = 1, fire = function() note("O") end })
loop:runInMode("default", 7)

rl.expect(table.concat(log, " ") == "T@1 O@1.5 O@2.5 O@3.5 timedOut@4.2 O@4.5 T@5 O@5.5 T@6 O@6.5 T@7",
  "T is silent while its own callback runs a nested loop")
--! compare: no, a fire and the end of a run at the same moment
