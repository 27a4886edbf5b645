-- A timer far in the future keeps a worker's loop alive, the loop keeps the thread, and the thread, asleep, never gives the timer up. To
-- end it, the main thread cancels the thread.
-- Fault: a cancel is only a flag. If the worker has looked at it before, it sleeps on, kept by its timer, and the join never ends. `rlsim
-- explore` finds: stuck. Under the default schedule the flag is set before the worker looks: all is well.
-- Look for, in the trace that explore finds: `thread.cancel worker` after the worker's `run.enter`.
local worker = rl.thread("worker", function(thread)
  local loop = rl.currentLoop()
  loop:addTimer(rl.timer{ name = "keepAlive", fireAt = rl.distantFuture })
  while not thread:isCancelled() do loop:runMode("default", rl.distantFuture) end
end)
worker:start()
worker:cancel()
worker:join()
rl.expect(rl.now() == 0, "the worker ends at once, and does not wait for its timer")
