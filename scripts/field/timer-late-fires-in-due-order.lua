-- Reported: timers that were held back all fire at once afterwards. In which order?
-- Right: in the order of their dates, not in the order in which they were added, and all in one wake.
-- Look for: one `afterWaiting wake=timer` at 3, followed by both timers.
-- Source: https://github.com/microsoft/react-native-macos/pull/1071, https://github.com/gnustep/libs-base/pull/704
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end
local function at(t) return math.abs(rl.now() - t) < 1e-9 end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local wakes = 0
  loop:addObserver(rl.observer{ name = "wakes", activities = { "afterWaiting" }, handler = function() wakes = wakes + 1 end })
  loop:addTimer(rl.timer{ name = "B", fireAt = 2, fire = function() note("B") end })
  loop:addTimer(rl.timer{ name = "A", fireAt = 1, fire = function() note("A") end })
  loop:addTimer(rl.timer{ name = "X", fireAt = 0.5, fire = function() note("X") rl.work(2.5) end })

  local result = loop:runInMode("default", 4)
  rl.expect(table.concat(log, " ") == "X@0.5 A@3 B@3", "the late timers fire in the order of their dates")
  rl.expect(wakes == 2, "one wake for X, one for A and B together")
  rl.expect(result == "finished" and at(3), "nothing is left at 3")
end)
worker:start()
worker:join()
