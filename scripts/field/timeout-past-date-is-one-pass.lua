-- Reported: running a loop with a date in the past must not block, and must still fire once what is ready.
-- Right: one pass that polls: entry, beforeTimers, beforeSources, A, B, exit; no beforeWaiting and no afterWaiting; timedOut. Foundation's
-- `runMode` and `runUntil` with a past date make one pass as well. Negative seconds are 0.
-- Look for: the short runs at 2, 4, 6 and 8.
-- Source: https://github.com/gnustep/libs-base (Tests/base/NSRunLoop/general.m),
-- https://github.com/swiftlang/swift-corelibs-foundation/pull/2544
local log
local function note(what) log[#log + 1] = what end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:addObserver(rl.observer{ name = "watch", activities = "all", handler = note })
  local onePass = "entry beforeTimers beforeSources A B exit "

  local function expectOnePass(what, result, run)
    log = {}
    local start = rl.now()
    loop:addTimer(rl.timer{ name = "A", fireAt = start + 1, fire = function() note("A") end })
    loop:addTimer(rl.timer{ name = "B", fireAt = start + 1.2, fire = function() note("B") end })
    rl.work(2)
    note(tostring(run()))
    rl.expect(table.concat(log, " ") == onePass .. result, what .. ": one pass")
    rl.expect(rl.now() == start + 2, what .. ": no waiting")
  end

  expectOnePass("0 seconds", "timedOut", function() return loop:runInMode("default", 0) end)
  expectOnePass("-1 seconds", "timedOut", function() return loop:runInMode("default", -1) end)
  expectOnePass("runMode, distant past", "true", function() return loop:runMode("default", rl.distantPast) end)
  expectOnePass("runUntil, past", "nil", function() return loop:runUntil(1) end)
end)
worker:start()
worker:join()
