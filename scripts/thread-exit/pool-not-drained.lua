-- The handshake says "finished" too early for one thing: what the thread has autoreleased stays alive until its pool is drained, and
-- that happens after its entry function has returned, so after the signal.
-- Look for: the main thread goes on before `pool.drain` and `dealloc connection` of the worker.
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
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "doNothing" })
  isAlive = true
  rl.object{ name = "connection", dealloc = function() isAlive = false end }:autorelease()
  setRunning(true)
  loop:run()
  setRunning(false)
  rl.work(0.1) -- the thread has a little more to do on its way out
end)
worker:start()
waitForRunning(true)

worker:perform(function() rl.currentLoop():stop() end, { name = "stop" })
waitForRunning(false)
rl.expect(isAlive, "the worker says that it has finished, and its connection is still alive")

rl.sleepUntil(1)
rl.expect(not isAlive, "it goes when the thread ends")
--! compare: no, the request may come before the loop waits
