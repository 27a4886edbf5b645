-- Asked: do items of the common modes join a mode that becomes common afterwards?
-- Right: yes. Before, a run of the new mode is finished at once; afterwards the timer fires there. Removing the timer from ONE of the
-- common modes leaves it in the other and among the common items.
-- Look for: `timer` in mode later at 1.
-- Source: https://github.com/swiftlang/swift-corelibs-foundation/pull/1439
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local timer = rl.timer{ name = "tick", fireAt = 1, interval = 1, fire = function() note("tick") end }
  loop:addTimer(timer, "common")
  note(loop:runInMode("later", 1.5))
  loop:addCommonMode("later")
  note(loop:runInMode("later", 1.7))
  rl.expect(table.concat(log, " ") == "finished@0 tick@1 timedOut@1.7", "the timer joins the new common mode")

  loop:removeTimer(timer, "default")
  rl.expect(not loop:containsTimer(timer, "default"), "gone from one mode")
  rl.expect(loop:containsTimer(timer, "later") and loop:containsTimer(timer, "common"), "still in the other, and a common item")
end)
worker:start()
worker:join()
