-- Listing 3-16: a port that is registered by name. Who wants to send needs the name only, not the port.
-- Look for: the worker's `port.send localPort`, which wakes the main loop, where it is received.
local received

local localPort = rl.port{ name = "localPort", receive = function(message) received = message end }
rl.currentLoop():addPort(localPort, "default")
rl.portServer:register("com.example.LocalPort", localPort)

rl.detach("worker", function()
  rl.expect(rl.portServer:lookup("com.example.NoSuchPort") == nil, "an unknown name gives nothing")
  rl.sleep(1)
  rl.portServer:lookup("com.example.LocalPort"):send("hello")
end)

rl.expect(rl.currentLoop():runMode("default", rl.distantFuture), "the main loop waits for a message")
rl.expect(received == "hello" and rl.now() == 1, "and gets it")
--! compare: no, whether the detached worker ends before the process does is a race
