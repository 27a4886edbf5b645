-- Reported: "you must call CFRunLoopWakeUp after adding a timer from another thread". Is that so?
-- Right: no. Adding arms the kernel timer that the loop is already waiting for: no pass at 1, where it is added, and a fire in time
-- at 2, on the loop's thread.
-- Look for: nothing of the worker at 1.
-- Source: https://github.com/gnustep/libs-corebase (Tests/CFRunLoop/timers.m)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop
local worker = rl.thread("worker", function()
  loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:addObserver(rl.observer{ name = "wakes", activities = { "afterWaiting" }, handler = note })
  loop:runInMode("default", 4)
end)
worker:start()
rl.sleepUntil(1)
loop:addTimer(rl.timer{ name = "late", fireAt = 2, fire = function() note("fire on " .. rl.currentThread().name) end })
worker:join()

rl.expect(table.concat(log, " ") == "afterWaiting@2 fire on worker@2 afterWaiting@4", "no wake was needed, none happened at 1")
