-- Reported: two timers are due together, and the first one's callback runs a nested loop in which the second one fires. Does the outer
-- batch, which still lists it, fire it again?
-- Right: no. Each timer of the batch is checked again before its callout, and B's date is 11.05 by then.
-- Look for: one `timer B`, inside the nested run.
-- Source: https://github.com/gnachman/iTerm2/pull/559
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:addSource(rl.source{ name = "keepAlive" })
local b = rl.timer{ name = "B", fireAt = 1.05, interval = 10, fire = function() note("B") end }
loop:addTimer(rl.timer{ name = "A", fireAt = 1, fire = function()
  note("A")
  note("nested " .. loop:runInMode("default", 0.3))
end })
loop:addTimer(b)

rl.work(2)
note("outer " .. loop:runInMode("default", 3))
rl.expect(table.concat(log, " ") == "A@2 B@2 nested timedOut@2.3 outer timedOut@5", "B fires in the nested run only")
rl.expect(math.abs(b:nextFireDate() - 11.05) < 1e-9, "B is next due at 11.05")
