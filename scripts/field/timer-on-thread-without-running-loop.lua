-- Reported: a timer that is scheduled on a pool thread silently never fires.
-- Right: the worker never runs its loop and ends at 0.5; the timer is cut off from that loop and never fires there. It stays valid, and
-- can still be added to another loop, where it fires at once, overdue.
-- Look for: `thread.exit` of the worker, and the one fire at 5, late by 4.
-- Source: https://github.com/microsoft/libHttpClient/pull/240, https://github.com/brave/brave-rewards-ios/issues/110,
-- https://github.com/getsentry/sentry-cocoa/pull/3139, https://github.com/webadnan/swift-debouncer/issues/4
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local timer = rl.timer{ name = "orphan", fireAt = 1, fire = function() note("fire on " .. rl.currentThread().name) end }
local worker = rl.thread("worker", function()
  rl.currentLoop():addTimer(timer)
  rl.sleepUntil(0.5)
end)
worker:start()
worker:join()

rl.sleepUntil(5)
rl.expect(#log == 0, "nobody ran the loop, so nothing fired")
rl.expect(timer:isValid(), "the timer is still valid")

rl.mainLoop:addTimer(timer)
rl.mainLoop:runInMode("default", 1)
rl.expect(table.concat(log, " ") == "fire on main@5", "added to a loop that runs, it fires at once")
