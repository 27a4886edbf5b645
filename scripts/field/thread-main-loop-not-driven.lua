-- Reported: a timer's callback never comes under one test runner and comes under another.
-- Right: a timer needs its thread to run the loop. The main thread is blocked until 1, so the timer, due at 0.2, does not fire; if the
-- loop is run then, it fires at 1. If it is never run, it never fires.
-- Look for: `timer ... late=0.800000000`.
-- Source: https://github.com/swiftlang/swift-testing/issues/997
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

rl.mainLoop:addTimer(rl.timer{ name = "callback", fireAt = 0.2, fire = function() note("callback") end }, "common")
rl.sleepUntil(1)
rl.expect(#log == 0, "nobody ran the loop")
rl.mainLoop:runInMode("default", 0.5)
rl.expect(table.concat(log, " ") == "callback@1", "it fires when somebody does")
