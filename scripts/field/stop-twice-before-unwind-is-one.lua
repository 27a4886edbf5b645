-- Reported: two quick stops, meant for two nested levels, end only one.
-- Right: each run has one flag, and both stops set the innermost run's. The nested run is stopped at 2, the outer one times out at 4.
-- (A schedule in which the nested run ends between the two stops is the lucky one: `--seed` finds it.)
-- Look for: two `loop.stop worker` at 2, one `result=stopped`.
-- Source: https://github.com/qt/qtbase (qeventdispatcher_cf.mm passes the interrupt on level by level)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:scheduleTimer{ name = "modal", fireAt = 1, fire = function() note("nested " .. loop:runInMode("default", 5)) end }
  note("outer " .. loop:runInMode("default", 4))
end)
worker:start()
rl.sleepUntil(2)
worker:loop():stop()
worker:loop():stop()
worker:join()
rl.expect(table.concat(log, ", ") == "nested stopped@2, outer timedOut@4", "both stops went to the nested run")
