-- A thread that serves its run loop until it is told to stop, for scripts of any folder: `require "_shared.worker"`.
local worker = {}

-- Starts it, and waits until its loop has something to live for.
function worker.start(name)
  local ready = rl.semaphore{ name = "ready" }
  local thread = rl.thread(name, function()
    rl.currentLoop():addPort(rl.port{ name = "keepAlive" })
    ready:signal()
    rl.currentLoop():run()
  end)
  thread:start()
  ready:wait()
  return thread
end

-- Ends it from within: a stop that comes before the run would be lost.
function worker.stop(thread)
  thread:perform(function() rl.currentLoop():stop() end, { name = "stop" })
  thread:join()
end

return worker
