-- Reported: one port is in the default mode and in a private one; a nested run of the private mode should get the message.
-- Right: it does, at 1, with the private mode as the current one. The outer run does not see the message again.
-- Look for: `port P` inside the nested run, and nothing after it.
-- Source: https://github.com/darlinghq/darling/issues/368
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local port = rl.port{ name = "P", receive = function() note("P in " .. loop:currentMode()) end }
loop:addPort(port, "default")
loop:addPort(port, "M")
loop:scheduleTimer{ name = "modal", fireAt = 1, fire = function()
  port:send("hello")
  note("nested " .. loop:runInMode("M", 0.5, true))
end }
note("outer " .. loop:runInMode("default", 2))
rl.expect(table.concat(log, ", ") == "P in M@1, nested handledSource@1, outer timedOut@2", "the nested run takes the message")
