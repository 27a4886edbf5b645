-- Reported: people poll `isWaiting` to know that a loop has started; one run in ten hangs.
-- Right: it says yes while the loop sleeps, no while a callback runs, and no after the run. So "no" does not mean "not running", and a
-- loop that is always busy can keep the poller waiting for ever.
-- Look for: what the main thread logs at 0.5, 1.5 and 3.5.
-- Source: https://github.com/dotnet/corefx/pull/8628, https://github.com/gnustep/libs-corebase (Tests/CFRunLoop/timers.m)
local loop
local worker = rl.thread("worker", function()
  loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:scheduleTimer{ name = "busy", fireAt = 1, fire = function() rl.work(1) end }
  loop:runInMode("default", 3)
  rl.sleepUntil(4)
end)
worker:start()

local function isWaitingAt(t)
  rl.sleepUntil(t)
  rl.log("isWaiting", loop:isWaiting())
  return loop:isWaiting()
end
rl.expect(isWaitingAt(0.5) == true, "yes while it sleeps")
rl.expect(isWaitingAt(1.5) == false, "no while a callback runs")
rl.expect(isWaitingAt(3.5) == false, "no after the run")
worker:join()
