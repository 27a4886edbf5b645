-- Reported: a wake-up from a timer or port callback makes no extra pass. Is it lost?
-- Right: it is ignored, and nothing is lost: after a callback the loop always makes all its checks before it sleeps again.
-- Look for: `loop.wakeUp main ignored=true` at 1, and no `afterWaiting` between that and 2.
-- Source: https://github.com/ably/ably-cocoa/issues/531
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:scheduleTimer{ name = "waker", fireAt = 1, fire = function()
  note("timer")
  loop:addObserver(rl.observer{ name = "watch", activities = { "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting" }, handler = note })
  loop:wakeUp()
end }
loop:addSource(rl.source{ name = "keepAlive" })
loop:runInMode("default", 2)
rl.expect(table.concat(log, " ") == "timer@1 beforeTimers@1 beforeSources@1 beforeWaiting@1 afterWaiting@2", "no extra afterWaiting")
