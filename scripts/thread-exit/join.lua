-- The simplest mend of all, where threads can be joined (pthreads; NSThread has no join): `join` returns when the thread has really ended,
-- pools drained, sources cancelled and all.
-- Look for: the main thread's `thread.join worker` after the worker's `dealloc connection`, `source.cancel doNothing` and `thread.exit`.
local isAlive, hasSource = false, false

local worker = rl.thread{ name = "worker", joinable = true, entry = function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "doNothing", cancel = function() hasSource = false end })
  hasSource = true
  isAlive = true
  rl.object{ name = "connection", dealloc = function() isAlive = false end }:autorelease()
  loop:run()
  return "finished well"
end }
worker:start()
rl.sleepUntil(1)
rl.expect(isAlive and hasSource, "at work")

worker:perform(function() rl.currentLoop():stop() end, { name = "stop" })
rl.expect(worker:join() == "finished well", "join gives what the entry function returned")
rl.expect(not isAlive, "the pool is drained")
rl.expect(not hasSource, "the source got its cancel callback")
rl.expect(worker:isFinished(), "the thread has ended")
