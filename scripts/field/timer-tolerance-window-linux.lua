--! rlsim: --semantics linux
-- Reported: timers with a tolerance fire late and in groups on Apple's platforms (timer-tolerance-window).
-- Right (Linux): there is no tolerance. It always reads 0, setting it does nothing, and A, B and C fire at their dates.
-- Look for: three wakes.
-- Source: https://github.com/chromium/chromium (base/message_loop/message_pump_apple.mm),
-- https://github.com/pointfreeco/swift-composable-architecture/issues/636
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local function add(name, date, tolerance)
  local timer = rl.timer{ name = name, fireAt = date, tolerance = tolerance, fire = function() note(name) end }
  rl.mainLoop:addTimer(timer)
  return timer
end
local a = add("A", 1, 0.4)
add("B", 1.3, 0.05)
add("C", 1.6, 0)
rl.expect(a:tolerance() == 0, "the tolerance reads 0")
a:setTolerance(0.3)
rl.expect(a:tolerance() == 0, "and cannot be set")
rl.mainLoop:runUntil(2)
rl.expect(table.concat(log, " ") == "A@1 B@1.3 C@1.6", "each fires at its date")
