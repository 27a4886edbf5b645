-- Both holes of stop-without-handshake closed with a condition: `start` waits until the thread says that it is ready, `stop` waits until it
-- says that it has cleaned up.
-- Look for: the main thread's `condition.wait state` at 0 and at 1, each ended by the worker's `condition.signal state`.
local worker = { done = 0, connection = "closed", isRunning = false, state = rl.condition{ name = "state" } }

local function setRunning(isRunning)
  worker.state:lock()
  worker.isRunning = isRunning
  worker.state:signal()
  worker.state:unlock()
end

local function waitForRunning(isRunning)
  worker.state:lock()
  while worker.isRunning ~= isRunning do worker.state:wait() end
  worker.state:unlock()
end

function worker.main()
  worker.connection = "open"
  worker.loop = rl.currentLoop()
  worker.source = rl.source{ name = "work", perform = function() worker.done = worker.done + 1 end }
  worker.loop:addSource(worker.source)
  setRunning(true)
  worker.loop:run()
  rl.work(0.1) -- say goodbye to the server
  worker.connection = "closed"
  setRunning(false)
end

function worker.start()
  worker.thread = rl.thread("worker", worker.main)
  worker.thread:start()
  waitForRunning(true)
end

function worker.doWork()
  worker.source:signal()
  worker.loop:wakeUp()
end

function worker.stop()
  worker.thread:perform(function() worker.loop:stop() end, { name = "stop" })
  waitForRunning(false)
end

worker.start()
worker.doWork()
rl.sleepUntil(1)
rl.expect(worker.done == 1, "the work sent right after start is done")

worker.stop()
rl.expect(worker.connection == "closed", "stop returns after the clean-up")
rl.expect(rl.now() == 1.1, "which took a tenth of a second")
--! compare: no, the work may be signalled before the worker has begun to run its loop
