-- An app's main loop has observers of its own. One pair looks after autorelease pools: a pool is made at entry, drained and made anew
-- before each sleep, and drained at exit; its order puts it first at entry and last elsewhere. Another one draws, before the sleep, what
-- was marked as changed.
-- Look for: `dealloc label` not in the timer's callback but before the loop sleeps again; one drawing for two changes.
rl.machine{ poolPerCallout = false }
local loop = rl.mainLoop
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local pool
loop:addObserver(rl.observer{ name = "makePool", activities = { "entry" }, order = -2147483647, handler = function()
  pool = rl.pool()
end })
loop:addObserver(rl.observer{ name = "drainPool", activities = { "beforeWaiting", "exit" }, order = 2147483647, handler = function(activity)
  pool:drain()
  if activity == "beforeWaiting" then pool = rl.pool() end
end })

local needsDisplay = false
loop:addObserver(rl.observer{ name = "draw", activities = { "beforeWaiting", "exit" }, order = 2000000, handler = function()
  if needsDisplay then note("draw") end
  needsDisplay = false
end })

loop:scheduleTimer{ name = "change", fireAt = 1, fire = function()
  rl.object{ name = "label", dealloc = function() note("dealloc") end }:autorelease()
  needsDisplay = true -- the text
  needsDisplay = true -- and the colour
  note("changed")
end }
loop:runInMode("default", 2)
rl.expect(table.concat(log, " ") == "changed@1 draw@1 dealloc@1", "drawn once, then the pool is drained, before the loop sleeps")
