--! compare: no, the news that the job begins comes at the moment of a fire
-- The mended missed-fires-under-load: the worker does the job itself, and gives the main thread only what takes no time to show: that it
-- has begun, and the result. The timer's loop is never held up. `rlsim explore` finds nothing, whichever of the tick of 1 and the news of
-- the beginning goes first.
-- Look for: ticks at 1 and 2, neither of them late, `perform begin` at 1, and `perform result` at 2.5.
local tick = rl.mainLoop:scheduleTimer{ name = "tick", interval = 1 }
local worker = rl.thread("worker", function()
  rl.sleepUntil(1)
  rl.performOnMainThread(function() end, { name = "begin" })
  rl.work(1.5)
  rl.performOnMainThread(function() end, { name = "result" })
end)
worker:start()
rl.mainLoop:runInMode("default", 2.9)
worker:join()
rl.expect(tick:missedCount() == 0, "no tick is missed")
