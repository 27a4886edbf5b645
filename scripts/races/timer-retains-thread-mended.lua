-- The mended timer-retains-thread: after the cancel, a perform has the worker take back its timer. It also makes `runMode` return, as any
-- handled source does, so the worker looks at the flag again. `rlsim explore` finds nothing.
-- Look for: `perform release`, or `perform.drop release` if the worker has ended by then.
local keepAlive = rl.timer{ name = "keepAlive", fireAt = rl.distantFuture }
local worker = rl.thread("worker", function(thread)
  local loop = rl.currentLoop()
  loop:addTimer(keepAlive)
  while not thread:isCancelled() do loop:runMode("default", rl.distantFuture) end
end)
worker:start()
worker:cancel()
worker:perform(function() keepAlive:invalidate() end, { name = "release" })
worker:join()
rl.expect(rl.now() == 0, "the worker ends at once, and does not wait for its timer")
