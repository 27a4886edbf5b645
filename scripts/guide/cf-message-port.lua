-- Listings 3-17 to 3-19: Core Foundation message ports. They are found by name, and a request may have a reply: the sender then waits for
-- it in a run of its loop, in the mode that it names.
-- Look for: the check-in goes out without waiting for a reply; the main thread's request waits until the server thread has answered; and
-- `thread.terminate server` at the end: the guide's server thread runs until the process ends.
local kCheckinMessage, kUpperCaseMessage = 100, 101

-- 3-19: the server thread.
local function serverThreadEntryPoint(_, mainThreadPortName)
  -- Create the remote port to the main thread.
  local mainThreadPort = rl.remotePort(mainThreadPortName)

  -- Create a port for this thread, and its source.
  local myPortName = "com.example.Thread-1"
  local myPort = rl.messagePort{ name = myPortName, receive = function(id, data) -- processClientRequest
    rl.work(0.2)
    if id == kUpperCaseMessage then return data:upper() end
  end }
  rl.currentLoop():addPort(myPort, "default")

  -- Package up the port name and send the check-in message. No reply is asked for.
  mainThreadPort:request(kCheckinMessage, myPortName, { sendTimeout = 0.1, receiveTimeout = 0 })

  -- Enter the run loop.
  rl.currentLoop():run()
end

-- 3-18: the main thread receives the check-in.
local threadPort
local function mainThreadResponseHandler(id, data)
  if id == kCheckinMessage then
    rl.expect(data == "com.example.Thread-1", "the name of the thread's port")
    threadPort = rl.remotePort(data)
  end
end

-- 3-17: the main thread makes its port and spawns the server thread.
local myPort = rl.messagePort{ name = "com.example.MainThread", receive = mainThreadResponseHandler }
rl.currentLoop():addPort(myPort, "default")
rl.detach("server", serverThreadEntryPoint, "com.example.MainThread")

rl.currentLoop():runUntil(1)
rl.expect(threadPort ~= nil, "the server thread has checked in")

local reply = threadPort:request(kUpperCaseMessage, "hello", { sendTimeout = 1, receiveTimeout = 1, replyMode = "default" })
rl.expect(reply == "HELLO", "the reply to the request")
rl.expect(rl.now() == 1.2, "comes when the server has done its work")

local late, reason = threadPort:request(kUpperCaseMessage, "again", { sendTimeout = 1, receiveTimeout = 0.1, replyMode = "default" })
rl.expect(late == nil and reason ~= nil, "a reply that comes too late is none")
rl.expect(math.abs(rl.now() - 1.3) < 1e-9, "the request gives up after its receive timeout")
