-- Reported: are 50 wake-ups 50 passes?
-- Right: no. The loop's wake-up port holds one message, and a full queue counts as success: one afterWaiting for the 50, and one for
-- the deadline. (That holds while the worker does not run between two of them: `--seed` finds schedules with more passes.)
-- Look for: fifty `loop.wakeUp worker` at 1 and one `afterWaiting`.
-- Source: https://github.com/mitchellh/libxev/pull/102, https://github.com/oven-sh/bun/pull/37091
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:addObserver(rl.observer{ name = "wakes", activities = { "afterWaiting" }, handler = note })
  loop:runInMode("default", 2)
end)
worker:start()
rl.sleepUntil(1)
for _ = 1, 50 do worker:loop():wakeUp() end
worker:join()
rl.expect(table.concat(log, " ") == "afterWaiting@1 afterWaiting@2", "fifty wake-ups are one")
--! compare: no, the worker wakes up somewhere between the fifty wake-ups
