-- Asked: an observer of afterWaiting opens a nested run. Does it receive the message that has just ended the wait?
-- Right: no. The wait takes the message (mach_msg; on Linux the read of the descriptor), and its run keeps it for the port's callback,
-- which comes after the observers. The nested run gets the next message, even before the callback for the first, or sleeps. If the port
-- leaves the mode meanwhile, the message in hand is lost.
-- Look for: the nested run of 0.25 s that times out; `port mail message=third` before `second`; no `port mail message=fourth`.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (the wait before the afterWaiting observers); found by comparing with the library (docs/fidelity.md)
local received = {}
local loop = rl.mainLoop
local port = rl.port{ name = "mail", receive = function(message) received[#received + 1] = message end }
loop:addPort(port)

local whenWoken
loop:addObserver(rl.observer{ name = "woken", activities = { "afterWaiting" }, handler = function()
  local body = whenWoken
  whenWoken = nil
  if body then body() end
end })
local function send(message, body)
  whenWoken = body
  port:send(message)
  return loop:runInMode("default", 1, true)
end

send("first", function() rl.expect(loop:runInMode("default", 0.25, true) == "timedOut", "nothing is left to receive") end)
send("second", function()
  port:send("third")
  rl.expect(loop:runInMode("default", 0.25, true) == "handledSource", "the next message is there")
end)
rl.expect(send("fourth", function() loop:removePort(port) end) == "timedOut", "nothing was handled")
loop:addPort(port)
send("fifth")
rl.expect(table.concat(received, " ") == "first third second fifth", "the fourth is lost")
