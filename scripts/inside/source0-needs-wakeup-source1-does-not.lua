-- To signal a source of version 0 sets a mark, and no more: the sleeping loop sees it only when something wakes it, so one signals, then
-- wakes. A source of version 1 has a port, and a message to a port wakes the loop by itself.
-- Look for: nothing after `source.signal custom` at 1; `source custom` at 2, after `loop.wakeUp`; `port message` at 3, at once.
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end
local custom = rl.source{ name = "custom", perform = function() note("source0") end }
local port = rl.port{ name = "message", receive = function() note("source1") end }

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(custom)
  loop:addPort(port)
  loop:runInMode("default", 4)
end)
worker:start()
rl.sleepUntil(1)
custom:signal()
rl.sleepUntil(2)
worker:loop():wakeUp()
rl.sleepUntil(3)
port:send("hello")
worker:join()
rl.expect(table.concat(log, " ") == "source0@2 source1@3", "the signal waits for a wake-up, the message does not")
