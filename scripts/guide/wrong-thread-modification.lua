-- The guide: use an NSRunLoop from its own thread only. The functions of Core Foundation may be called from any thread, but that does not
-- mean that the loop notices: a source that another thread adds to a sleeping loop is not served before that loop wakes up, and the run
-- of a loop that was empty has ended already.
-- Look for: `source.schedule late` on the main thread, not on the worker; `source late` two seconds later.
local scheduledOn, performedOn, performedAt
local late = rl.source{
  name = "late",
  schedule = function() scheduledOn = rl.currentThread() end,
  perform = function() performedOn, performedAt = rl.currentThread(), rl.now() end,
}

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:runInMode("default", 5)
end)
worker:start()

local empty = rl.thread("empty", function() rl.currentLoop():run() end)
empty:start()

rl.sleepUntil(1)
rl.expect(not pcall(function() worker:loop():runUntil(2) end), "to run another thread's loop is an error")
rl.expect(empty:isFinished(), "the empty loop did not wait for us to add something")

worker:loop():addSource(late)
late:signal()
rl.expect(scheduledOn == rl.mainThread, "the schedule callback runs on the thread that adds")

rl.sleepUntil(3)
rl.expect(performedAt == nil, "the sleeping loop has not noticed")
worker:loop():wakeUp()
worker:join()
rl.expect(performedOn == worker and performedAt == 3, "it notices when it is woken")
