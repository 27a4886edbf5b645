-- The mended port-queue-full-deadlock: send one, take one. Before anybody sends a second message, they have taken one of the other's, so at
-- most one of the two ever waits for room, and the other is on its way to its loop. `rlsim explore` finds nothing.
-- Look for: `port` between the two `port.send` of each thread.
local toWorker = rl.port{ name = "toWorker", capacity = 1 }
local received = 0
local toMain = rl.port{ name = "toMain", capacity = 1, receive = function() received = received + 1 end }
rl.mainLoop:addPort(toMain)
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addPort(toWorker)
  for i = 1, 2 do
    toMain:send(i)
    loop:runInMode("default", rl.distantFuture, true)
  end
end)
worker:start()
for i = 1, 2 do
  toWorker:send(i)
  rl.mainLoop:runInMode("default", rl.distantFuture, true)
end
worker:join()
rl.expect(received == 2, "the main thread gets both messages")
