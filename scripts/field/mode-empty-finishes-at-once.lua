-- Reported: a worker whose loop has lost its last source pins one core.
-- Right: after the source invalidated itself, at 1.2, every run is finished at once: no entry, no exit, no time passes. The outer `while`
-- spins for ever. This script ends with exit code 1 and fault busyLoop: that is what it shows.
-- Look for: `fault busyLoop` at 1.2.
-- Source: https://github.com/screenpipe/screenpipe/pull/6302, https://github.com/facebookincubator/SocketRocket/issues/229,
-- https://github.com/gnustep/libs-base (Tests/base/NSRunLoop/thread.m)
rl.trace{ hide = { "run" } } -- the thousands of finished runs
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local source = rl.source{ name = "S", perform = function(source)
  note("S")
  source:invalidate()
end }
local quit = false
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(source)
  while not quit do
    local result = loop:runInMode("default", 0.5)
    if #log < 5 then note(result) end
    if #log == 5 then
      rl.expect(table.concat(log, " ", 1, 5) == "timedOut@0.5 timedOut@1 S@1.2 finished@1.2 finished@1.2", "finished at once from 1.2 on")
    end
  end
end)
worker:start()
rl.sleepUntil(1.2)
source:signal()
worker:loop():wakeUp()
worker:join()
--! compare: no, it loops without end
