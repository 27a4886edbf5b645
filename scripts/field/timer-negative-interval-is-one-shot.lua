-- Reported: unclear whether a negative interval repeats, throws or fires once; callers expect "<= 0" to mean once.
-- Right: it fires once. The interval reads 0, the timer does not repeat, and with nothing else in the mode the run is finished
-- at 1. An interval that is not a number is refused when the timer is made.
-- Look for: one fire, then `run.exit result=finished`.
-- Source: https://github.com/robbiehanson/XMPPFramework/issues/495
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end
local function at(t) return math.abs(rl.now() - t) < 1e-9 end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local timer = rl.timer{ name = "negative", fireAt = 1, interval = -2, fire = function() note("fire") end }
  rl.expect(timer:interval() == 0 and not timer:doesRepeat(), "a negative interval is none")
  loop:addTimer(timer)

  local result = loop:runInMode("default", 4)
  rl.expect(table.concat(log, " ") == "fire@1", "it fires once, at 1")
  rl.expect(result == "finished" and at(1), "the run is finished at 1")
end)
worker:start()
worker:join()

rl.expect(not pcall(rl.timer, { fireAt = 1, interval = 0 / 0 }), "an interval that is not a number is refused")
