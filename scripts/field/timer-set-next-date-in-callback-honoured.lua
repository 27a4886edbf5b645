-- Reported: is a date that is set inside the callback kept, or overwritten when the timer is rescheduled?
-- Right: it is kept if it is later than the date that has just fired, be it later or sooner than the natural next one, and the
-- grid starts anew from it. a: interval 1, set to 3.5, so 1, 3.5, 4.5, 5.5. b: interval 10, set to 1.5, so 1, 1.5, 11.5.
-- Look for: the `scheduled=` dates.
-- Source: https://github.com/Hammerspoon/hammerspoon/issues/530, https://github.com/flutter/flutter/pull/190670
local function addTimer(name, interval, delay)
  local fires = {}
  local timer = rl.timer{ name = name, fireAt = 1, interval = interval, fire = function(timer)
    fires[#fires + 1] = ("%g"):format(rl.now())
    if #fires == 1 then timer:setNextFireDate(rl.now() + delay) end
  end }
  rl.mainLoop:addTimer(timer)
  return timer, fires
end

local a, firesOfA = addTimer("a", 1, 2.5)
local _, firesOfB = addTimer("b", 10, 0.5)
rl.mainLoop:runUntil(6)
a:invalidate()
rl.mainLoop:runUntil(12)
rl.expect(table.concat(firesOfA, " ") == "1 3.5 4.5 5.5", "a later date is kept, and starts a new grid")
rl.expect(table.concat(firesOfB, " ") == "1 1.5 11.5", "a sooner date is kept, and starts a new grid")
