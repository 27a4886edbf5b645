-- Listings 3-12 to 3-15: the main thread launches a worker and gives it a port; the worker makes a port of its own and checks in with a
-- message that carries it. From then on both can send to each other.
-- Look for: `port.send mainPort message=100` from the worker, then messages in both directions, each received in one pass of a loop.
local kCheckinMessage = 100

-- 3-14 and 3-15: the worker.
local function launchThreadWithPort(_, distantPort)
  local shouldExit = false
  local workerPort = rl.port{ name = "workerPort", receive = function(message)
    if message == "exit" then
      shouldExit = true
    else
      distantPort:send(message:reverse())
    end
  end }
  rl.currentLoop():addPort(workerPort, "default")

  -- The check-in message: do not wait for room, the main thread's queue should have some.
  distantPort:send(kCheckinMessage, { replyTo = workerPort, before = rl.now() })

  repeat
    rl.currentLoop():runMode("default", rl.distantFuture)
  until shouldExit
  rl.currentLoop():removePort(workerPort)
end

-- 3-12: the main thread launches the worker.
local distantPort, answer
local myPort = rl.port{ name = "mainPort", receive = function(message, port)
  if message == kCheckinMessage then -- 3-13
    distantPort = port:replyPort()
  else
    answer = message
  end
end }
rl.currentLoop():addPort(myPort, "default")
local worker = rl.detach("worker", launchThreadWithPort, myPort)

repeat rl.currentLoop():runMode("default", rl.distantFuture) until distantPort
rl.expect(distantPort.name == "workerPort", "the worker has checked in with its port")

distantPort:send("stressed")
repeat rl.currentLoop():runMode("default", rl.distantFuture) until answer
rl.expect(answer == "desserts", "the worker's answer comes through the main thread's port")

distantPort:send("exit")
rl.sleep(1)
rl.expect(worker:isFinished(), "the worker was told to exit")
