-- The mend for pool-not-drained: the thread works in a pool of its own and drains it by hand before it says that it has finished.
-- Look for: `pool.drain` and `dealloc connection` before the worker's last `condition.signal state`.
local state, isRunning, isAlive = rl.condition{ name = "state" }, false, false

local function setRunning(value)
  state:lock()
  isRunning = value
  state:signal()
  state:unlock()
end

local function waitForRunning(value)
  state:lock()
  while isRunning ~= value do state:wait() end
  state:unlock()
end

local worker = rl.thread("worker", function()
  local pool = rl.pool()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "doNothing" })
  isAlive = true
  rl.object{ name = "connection", dealloc = function() isAlive = false end }:autorelease()
  setRunning(true)
  loop:run()
  pool:drain()
  setRunning(false)
  rl.work(0.1) -- the thread has a little more to do on its way out
end)
worker:start()
waitForRunning(true)

worker:perform(function() rl.currentLoop():stop() end, { name = "stop" })
waitForRunning(false)
rl.expect(not isAlive, "the connection is gone when the worker says that it has finished")
rl.expect(not worker:isFinished(), "although the thread has not quite ended")
--! compare: no, the request may come before the loop waits
