-- Reported: "sleep" by run loop burns processor time: `while now < 1 do runUntil(1) end` on a worker.
-- Right: on the main thread this sleeps, since its loop is never empty. On a worker with an empty loop each call returns at once and no
-- time passes. This script ends with exit code 1 and fault busyLoop: that is what it shows.
-- Look for: the main thread's sleep to 1, then `fault busyLoop` at 1.
-- Source: https://github.com/gnustep/libs-base (Tests/base/NSRunLoop/dispatch.m)
local function sleepByRunLoop(date)
  while rl.now() < date do rl.currentLoop():runUntil(date) end
end

sleepByRunLoop(1)
rl.expect(rl.now() == 1, "on the main thread it sleeps")

local worker = rl.thread("worker", function()
  sleepByRunLoop(2)
  rl.expect(false, "the worker never gets here")
end)
worker:start()
worker:join()
--! compare: no, it loops without end
