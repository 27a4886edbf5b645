-- Reported: code that reads one message and leaves the rest. Two ready ports need two passes, or two calls.
-- Right: each run that returns after a source receives one message from one port and returns handledSource. The same goes for two
-- messages that wait in one port.
-- Look for: one `port` in each run, with the whole sequence of activities around it.
-- Source: https://github.com/mitchellh/libxev/pull/25
local log = {}
local function note(what) log[#log + 1] = what end
local oneCall = "entry beforeTimers beforeSources beforeWaiting afterWaiting %s exit handledSource"

local loop = rl.mainLoop
local function addPort(name)
  local port = rl.port{ name = name, receive = function(message) note(message) end }
  loop:addPort(port)
  return port
end
local p1, p2 = addPort("P1"), addPort("P2")
loop:addObserver(rl.observer{ name = "watch", activities = "all", handler = note })

local function expectTwoCalls(first, second, message)
  log = {}
  note(loop:runInMode("default", 1, true))
  rl.expect(table.concat(log, " ") == oneCall:format(first), message .. ": the first call")
  log = {}
  note(loop:runInMode("default", 1, true))
  rl.expect(table.concat(log, " ") == oneCall:format(second), message .. ": the second call")
end

p1:send("one")
p2:send("two")
expectTwoCalls("one", "two", "two ports")
p1:send("three")
p1:send("four")
expectTwoCalls("three", "four", "two messages in one port")
