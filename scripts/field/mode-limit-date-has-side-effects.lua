-- Reported: asking for a loop's next date fires timers.
-- Right: `limitDate` makes one poll. The overdue timer fires inside the call, and the result is nil, since the mode is empty then. With
-- only ports it is the distant future, with a pending timer that timer's date, and nil from another thread.
-- Look for: `timer overdue` without a run of the script's own.
-- Source: https://github.com/gnustep/libs-base (Tests/base/NSRunLoop/thread.m), RunLoop.swift of swift-corelibs-foundation
local loop, fires = nil, 0

local worker = rl.thread("worker", function()
  loop = rl.currentLoop()
  loop:addTimer(rl.timer{ name = "overdue", fireAt = 0.5, fire = function() fires = fires + 1 end })
  rl.work(1)
  rl.expect(loop:limitDate("default") == nil, "nothing is left in the mode")
  rl.expect(fires == 1, "because the question fired the timer")

  loop:addPort(rl.port{ name = "inbox" })
  rl.expect(loop:limitDate("default") == rl.distantFuture, "only ports: no date")
  loop:addTimer(rl.timer{ name = "pending", fireAt = 5, fire = function() fires = fires + 1 end })
  rl.expect(loop:limitDate("default") == 5, "the pending timer's date")
  rl.expect(fires == 1, "which is not due yet")
  rl.sleepUntil(3)
end)
worker:start()
rl.sleepUntil(2)
rl.expect(loop:limitDate("default") == nil, "from another thread: nil")
worker:join()
