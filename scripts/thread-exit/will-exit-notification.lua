-- Another mend for pool-not-drained: do not let the thread's own code say "finished", let the system: every thread posts `threadWillExit`
-- when its pools are drained. It is posted on that thread, so the thread itself has not quite ended then.
-- Look for: `dealloc connection`, then the worker's `condition.signal state`, then its `source.cancel` and `thread.exit`.
local state, hasExited, isAlive = rl.condition{ name = "state" }, false, false

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "doNothing" })
  isAlive = true
  rl.object{ name = "connection", dealloc = function() isAlive = false end }:autorelease()
  loop:run()
end)

rl.notifications:addObserver("threadWillExit", worker, function()
  state:lock()
  hasExited = true
  state:signal()
  state:unlock()
  rl.work(0.1) -- the thread has a little more to do on its way out
end)
worker:start()
rl.sleepUntil(1)
rl.expect(isAlive, "while the thread lives, so does its connection")

worker:perform(function() rl.currentLoop():stop() end, { name = "stop" })
state:lock()
while not hasExited do state:wait() end
state:unlock()
rl.expect(not isAlive, "the pool is drained")
rl.expect(worker:isExecuting() and not worker:isFinished(), "the thread has not quite ended")
