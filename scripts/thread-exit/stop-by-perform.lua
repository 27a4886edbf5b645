-- A way out: let the thread stop its own loop. `stop` of the worker object sends a message to the thread, which wakes it; the message calls
-- `CFRunLoopStop` from inside the loop, `run` returns, and the thread tidies up after itself.
-- Look for: `perform stop from=main` on the worker, `loop.stop` on the same thread, `run.exit … result=stopped`, then `source.cancel`.
local cancelled = false

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local doNothing = rl.source{ name = "doNothing", cancel = function() cancelled = true end }
  loop:addSource(doNothing)
  rl.expect(loop:run() == "stopped", "the loop runs until it is stopped")
  loop:removeSource(doNothing)
end)
worker:start()

local function stop()
  worker:perform(function() rl.currentLoop():stop() end, { name = "stop" })
end

rl.sleepUntil(5)
rl.expect(worker:isExecuting(), "it waits for work")
stop()
rl.sleepUntil(6)
rl.expect(worker:isFinished(), "it has ended")
rl.expect(cancelled, "and has taken its source out of the loop")
