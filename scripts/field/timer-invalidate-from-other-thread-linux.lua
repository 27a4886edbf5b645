--! rlsim: --semantics linux
-- Reported: the documentation warns that a loop may not exit when another thread invalidates its timer. What happens exactly?
-- Right (Linux): the timer never fires and nothing wakes the loop at 1. But the kernel timer stays armed: at 3, the old date, there is
-- one wake for nothing, and only then does the loop notice that its mode is empty. On Apple's platforms it sleeps on:
-- timer-invalidate-from-other-thread.
-- Look for: `afterWaiting wake=timer` at 3 without a timer after it.
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

rl.expect(table.concat(log, " ") == "afterWaiting@3 finished@3", "one wake for nothing at the old date, then finished")
