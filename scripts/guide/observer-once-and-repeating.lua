-- An observer is made to be told once, or every time. One that does not repeat takes itself out of the loop when it has been told.
-- Look for: `observer once` in the first pass only, `observer repeating` in every pass.
local passes, once, repeating = 3, 0, 0

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addTimer(rl.timer{ name = "tick", fireAt = 1, interval = 1 })

  local onceObserver = rl.observer{ name = "once", activities = { "beforeTimers" }, repeats = false, handler = function()
    once = once + 1
  end }
  local repeatingObserver = rl.observer{ name = "repeating", activities = { "beforeTimers" }, repeats = true, handler = function()
    repeating = repeating + 1
  end }
  loop:addObserver(onceObserver)
  loop:addObserver(repeatingObserver)

  loop:runInMode("default", passes - 0.5)
  rl.expect(not onceObserver:isValid() and not loop:containsObserver(onceObserver), "the first one is gone")
  rl.expect(repeatingObserver:isValid() and loop:containsObserver(repeatingObserver), "the second one is still there")
end)
worker:start()
worker:join()
rl.expect(once == 1, "told once")
rl.expect(repeating == passes, "told in each pass")
