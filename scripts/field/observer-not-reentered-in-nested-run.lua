-- Reported: bookkeeping by push and pop in observers loses its balance when an observer runs a nested loop.
-- Right: while W is in its callback, W hears nothing of the nested run, neither beforeWaiting nor afterWaiting: one guard for all its
-- activities. V, which is not in a callback, hears both.
-- Look for: the observers' lines inside the nested run (between the two `entry`/`exit` pairs).
-- Source: https://github.com/chromium/chromium (message_pump_apple_unittest.mm)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local sleep = { "beforeWaiting", "afterWaiting" }
local nested = false
loop:addSource(rl.source{ name = "keepAlive" })
loop:addObserver(rl.observer{ name = "W", activities = sleep, order = 0, handler = function(activity)
  note("W " .. activity)
  if nested then return end
  nested = true
  note("nested " .. loop:runInMode("default", 1))
end })
loop:addObserver(rl.observer{ name = "V", activities = sleep, order = 1, handler = function(activity) note("V " .. activity) end })
loop:addObserver(rl.observer{ name = "E", activities = { "entry", "exit" }, handler = function(activity) note("E " .. activity) end })
loop:runInMode("default", 2)

rl.expect(table.concat(log, ", ") == table.concat({
  "E entry@0", "W beforeWaiting@0",
  "E entry@0", "V beforeWaiting@0", "V afterWaiting@1", "E exit@1", "nested timedOut@1",
  "V beforeWaiting@1", "W afterWaiting@2", "V afterWaiting@2", "E exit@2",
}, ", "), "W is silent in the run it opened itself")
