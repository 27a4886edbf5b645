-- Reported: the documentation warns that a loop may not exit when another thread invalidates its timer. What happens exactly?
-- Right (Apple): the timer never fires, and nothing wakes the loop: not at 1, when its last timer goes, and not at 3, the old date. It
-- sleeps on in an empty mode to its own deadline. timer-invalidate-from-other-thread-linux has the Linux answer.
-- Look for: the one `afterWaiting`, at 6.
-- Source: https://github.com/aws-amplify/aws-sdk-ios/issues/2649, https://github.com/getsentry/sentry-cocoa/pull/3333
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local timer = rl.timer{ name = "doomed", fireAt = 3, fire = function() note("fire") end }
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addObserver(rl.observer{ name = "wakes", activities = { "afterWaiting" }, handler = note })
  loop:addTimer(timer)
  note(loop:runInMode("default", 6))
end)
worker:start()
rl.sleepUntil(1)
timer:invalidate()
worker:join()

rl.expect(table.concat(log, " ") == "afterWaiting@6 timedOut@6", "nothing wakes the loop before its deadline")
