-- Reported: a kernel that loses a message which was queued before the port joined the loop. Must it be delivered?
-- Right: yes. What counts is whether the port holds a message, not when it came: received at 0.
-- Look for: `port.send P` before the run, `port P` in its first pass.
-- Source: https://github.com/nextbsd/nextbsd-kernel/issues/165
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local port = rl.port{ name = "P", receive = function(message) note(message) end }
port:send("early")
rl.mainLoop:addPort(port)
note(rl.mainLoop:runInMode("default", 0.5))
rl.expect(table.concat(log, " ") == "early@0 timedOut@0.5", "the early message is received")
