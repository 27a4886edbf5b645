-- The cheap way to keep a thread: a source that does nothing keeps the loop from being empty, and the loop waits without a deadline.
-- It costs nothing while there is nothing to do, but there is no way out either: the flag is only looked at after a wake-up, and neither
-- setting it nor `cancel` wakes anybody.
-- Look for: one `beforeWaiting` at 0 and no `afterWaiting` ever; the run ends as idle, with the worker still asleep.
local shouldStop, wakeUps = false, 0

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "doNothing" })
  loop:addObserver(rl.observer{ name = "counter", activities = { "afterWaiting" }, handler = function() wakeUps = wakeUps + 1 end })
  while not shouldStop do
    loop:runMode("default", rl.distantFuture)
  end
end)
worker:start()

rl.sleepUntil(3600)
rl.expect(wakeUps == 0, "an hour without a wake-up")

shouldStop = true
worker:cancel()
rl.sleepUntil(7200)
rl.expect(worker:isExecuting() and worker:loop():isWaiting(), "an hour later it still waits")
rl.expect(wakeUps == 0, "because nothing woke it")
--! compare: no, it takes two hours
