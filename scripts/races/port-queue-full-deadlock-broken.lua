-- Two threads send each other two messages; either port has room for one. Who finds the port full waits until the other thread's loop takes
-- a message.
-- Fault: if the worker finds nothing at its first look, both fill the other's port and wait for room, and neither loop runs. `rlsim
-- explore` finds: deadlock. Under the default schedule the worker takes a message at its first look, which lets the main thread go on to
-- its loop.
-- Look for, in the trace that explore finds: `port.full` on both threads.
local toWorker = rl.port{ name = "toWorker", capacity = 1 }
local received = 0
local toMain = rl.port{ name = "toMain", capacity = 1, receive = function() received = received + 1 end }
rl.mainLoop:addPort(toMain)
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addPort(toWorker)
  loop:runInMode("default", 0)
  toMain:send(1)
  toMain:send(2)
  loop:runInMode("default", 1)
end)
worker:start()
toWorker:send(1)
toWorker:send(2)
rl.mainLoop:runInMode("default", 1)
worker:join()
rl.expect(received == 2, "the main thread gets both messages")
