-- Reported: `run` with a limit of 0 sometimes does not fire a timer that is overdue.
-- Right: one poll serves one port. Here a message has been waiting longer than the timer has been due, so the first poll receives the
-- message and the timer waits for the second. (With a wake-up in the port's place: timeout-zero-pass-eaten-by-wake.)
-- Look for: two runs, one of them with `port`, one with `timer`.
-- Source: https://github.com/qt/qtbase (src/corelib/kernel/qeventdispatcher_cf.mm)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local port = rl.port{ name = "inbox", receive = function() note("message") end }
loop:addPort(port)
loop:addTimer(rl.timer{ name = "overdue", fireAt = 1, fire = function() note("timer") end })
port:send("hello")
rl.work(2)

note(loop:runInMode("default", 0))
note(loop:runInMode("default", 0))
rl.expect(table.concat(log, " ") == "message@2 timedOut@2 timer@2 timedOut@2", "one port a poll: the timer waits for the second")
