-- Table 1-3, ways to pass messages between threads: ports (and sockets). The messages queue in the port; sending alone wakes the receiver's
-- loop, and a sender that is too fast has to wait for room.
-- Look for: three `port.send inbox` at 1, the third of them after `port.full`; each message is received in a pass of its own, one second
-- of work each.
local received = {}

local inbox = rl.port{ name = "inbox", capacity = 2, receive = function(message)
  received[#received + 1] = ("%s@%g"):format(message, rl.now())
  if message == "third" then rl.currentLoop():stop() end
  rl.work(1)
end }

local worker = rl.thread("worker", function()
  rl.currentLoop():addPort(inbox)
  rl.currentLoop():run()
end)
worker:start()

rl.sleepUntil(1)
inbox:send("first")
inbox:send("second")
rl.expect(not inbox:send("refused", { before = rl.now() }), "two messages fill this port; one who does not want to wait is refused")
rl.expect(inbox:send("third"), "one who waits gets room when the first message is taken")
worker:join()
rl.expect(table.concat(received, " ") == "first@1 second@2 third@3", "in order, one after the other")
