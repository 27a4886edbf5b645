-- Two holes are left in stop-by-perform. `start` returns before the thread has made its source, so the first piece of work goes to nil
-- (which Objective-C passes over in silence). And `stop` returns when the message is on its way, not when the thread has cleaned up.
-- Look for: the one `source.signal work`, at 1: there is none at 0. At 2 "stop has returned"; "closed" comes only at 2.1.
local worker = { done = 0, connection = "closed" }

function worker.main()
  worker.connection = "open"
  worker.loop = rl.currentLoop()
  worker.source = rl.source{ name = "work", perform = function() worker.done = worker.done + 1 end }
  worker.loop:addSource(worker.source)
  worker.loop:run()
  rl.work(0.1) -- say goodbye to the server
  worker.connection = "closed"
  rl.log(worker.connection)
end

function worker.start()
  worker.thread = rl.thread("worker", worker.main)
  worker.thread:start()
end

function worker.doWork()
  if worker.source == nil then return end -- a message to nil
  worker.source:signal()
  worker.loop:wakeUp()
end

function worker.stop()
  worker.thread:perform(function() worker.loop:stop() end, { name = "stop" })
end

worker.start()
worker.doWork()
rl.sleepUntil(1)
rl.expect(worker.done == 0, "the first hole: the work sent right after start is lost")
worker.doWork()
rl.sleepUntil(2)
rl.expect(worker.done == 1, "what was sent later is done")

worker.stop()
rl.log("stop has returned")
rl.expect(worker.connection == "open", "the second hole: stop has returned, and the clean-up is still to come")
rl.sleepUntil(3)
rl.expect(worker.connection == "closed", "it comes later")
