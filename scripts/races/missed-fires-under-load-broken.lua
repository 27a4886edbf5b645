-- A timer ticks on the main loop every second; at 1 a worker gives the main thread a job of 1.5 seconds.
-- Fault: if the job goes first, the tick of 1 comes at 2.5 and the tick of 2 never: one fire stands for both. `rlsim explore` finds:
-- expectation. Under the default schedule the tick of 1 goes first; then only the tick of 2 is late.
-- Look for, in the trace that explore finds: `timer tick fire=1 ... late=1.500000000 missed=1`.
local tick = rl.mainLoop:scheduleTimer{ name = "tick", interval = 1 }
local worker = rl.thread("worker", function()
  rl.sleepUntil(1)
  rl.performOnMainThread(function() rl.work(1.5) end, { name = "job" })
end)
worker:start()
rl.mainLoop:runInMode("default", 2.9)
worker:join()
rl.expect(tick:missedCount() == 0, "no tick is missed")
--! compare: no, the request comes at the moment of a fire
