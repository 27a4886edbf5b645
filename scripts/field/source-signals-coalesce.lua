-- Reported: n signals do not mean n performs.
-- Right: five signals while the loop is busy are one perform, as soon as it is free.
-- Look for: five `source.signal` at 1, one `source` at 2, and wake-ups that are ignored.
-- Source: https://github.com/rust-windowing/winit/pull/4146
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop
local source = rl.source{ name = "S", perform = function() note("S") end }
local worker = rl.thread("worker", function()
  loop = rl.currentLoop()
  loop:addSource(source)
  loop:scheduleTimer{ name = "busy", fireAt = 0.5, fire = function() rl.work(1.5) end }
  loop:runInMode("default", 4)
end)
worker:start()
rl.sleepUntil(1)
for _ = 1, 5 do
  source:signal()
  loop:wakeUp()
end
worker:join()
rl.expect(table.concat(log, " ") == "S@2", "five signals, one perform")
