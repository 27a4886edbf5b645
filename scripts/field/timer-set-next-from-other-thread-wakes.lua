-- Reported: does a sleeping loop notice that another thread has moved a timer's date forward?
-- Right: yes. Setting the date from another thread also wakes the loop, which makes one pass with nothing to do at 1 and sleeps again;
-- the timer then fires at 2.
-- Look for: `afterWaiting wake=wakeUp` at 1 and `afterWaiting wake=timer` at 2.
-- Source: https://github.com/flutter/flutter/pull/190670
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local timer
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addObserver(rl.observer{ name = "watch", activities = { "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting" }, handler = note })
  timer = rl.timer{ name = "moved", fireAt = 50, fire = function() note("timer") end }
  loop:addTimer(timer)
  loop:runInMode("default", 4)
end)
worker:start()
rl.sleepUntil(1)
timer:setNextFireDate(rl.now() + 1)
worker:join()

rl.expect(table.concat(log, " ") == "beforeTimers@0 beforeSources@0 beforeWaiting@0 "
  .. "afterWaiting@1 beforeTimers@1 beforeSources@1 beforeWaiting@1 afterWaiting@2 timer@2", "one extra pass at 1, the fire at 2")
