-- The mended perform-after-exit: the worker has something that keeps its loop alive, and runs it until it has handled a source, so it does
-- not end before the task has come. `rlsim explore` finds nothing.
-- Look for: `perform task`, then the worker's `run.exit result=handledSource`.
local performed = rl.shared{ name = "performed", value = false }
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:runInMode("default", rl.distantFuture, true)
end)
worker:start()
worker:perform(function() performed:set(true) end, { name = "task" })
worker:join()
rl.expect(performed:get(), "the task is performed")
