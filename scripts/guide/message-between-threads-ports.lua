-- Table 1-3, ways to pass messages between threads: ports (and sockets). The messages queue in the port; sending alone wakes the receiver's
-- loop, and a sender that is too fast has to wait for room.
-- Look for: at 1.5 `port.full inbox`, and no `port.send inbox message=fourth` before 2, when the worker has taken the second message; each
-- message is received in a pass of its own.
local received = {}

local inbox = rl.port{ name = "inbox", capacity = 2, receive = function(message)
  received[#received + 1] = ("%s@%g"):format(message, rl.now())
  if message == "fourth" then rl.currentLoop():stop() end
  rl.work(1)
end }

local worker = rl.thread("worker", function()
  rl.currentLoop():addPort(inbox)
  rl.currentLoop():run()
end)
worker:start()

rl.sleepUntil(1)
inbox:send("first")
rl.sleepUntil(1.5) -- the worker is busy with it until 2
inbox:send("second")
inbox:send("third")
rl.expect(not inbox:send("refused", { before = rl.now() }), "the queue is full; one who does not want to wait is refused")
rl.expect(inbox:send("fourth") and rl.now() == 2, "one who waits gets room when the second message is taken")
worker:join()
rl.expect(table.concat(received, " ") == "first@1 second@2 third@3 fourth@4", "in order, one after the other")
