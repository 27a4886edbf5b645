-- Reported: setting a new date in a one-shot timer's own callback has no effect (why people use a repeating one with a huge interval).
-- Right: whether a timer ends is settled before its callback; it is invalidated after it. One fire at 1, run finished at 1.
-- Look for: one fire, then `run.exit result=finished`.
-- Source: https://github.com/Hammerspoon/hammerspoon/issues/530
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end
local function at(t) return math.abs(rl.now() - t) < 1e-9 end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local once = rl.timer{ name = "once", fireAt = 1, fire = function(timer)
    note("once")
    timer:setNextFireDate(rl.now() + 1)
  end }
  loop:addTimer(once)

  local result = loop:runInMode("default", 4)
  rl.expect(table.concat(log, " ") == "once@1" and not once:isValid(), "it fires once and is invalid")
  rl.expect(result == "finished" and at(1), "nothing is left at 1")
end)
worker:start()
worker:join()
