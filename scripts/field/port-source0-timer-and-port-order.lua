-- Reported: in which order come a source, a timer and a port that are all ready at once?
-- Right: the source first, in the part of the pass before the wait. Then one port a pass, in the order in which they became ready: the
-- timer (due at 1), polled in the same pass because a source was handled, and the message (sent at 2) in the next.
-- Look for: no `beforeWaiting` between `source S` and `timer overdue`, one between that and `port P`.
-- Source: https://github.com/qt/qtbase (qeventdispatcher_cf.mm)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local source = rl.source{ name = "S", perform = function() note("S") end }
local port = rl.port{ name = "P", receive = function() note("P") end }
loop:addSource(source)
loop:addPort(port)
loop:addTimer(rl.timer{ name = "overdue", fireAt = 1, fire = function() note("timer") end })
loop:addObserver(rl.observer{ name = "watch", activities = "all", handler = note })
rl.work(2)
source:signal()
port:send("message")

note(loop:runInMode("default", 1))
rl.expect(table.concat(log, " ") == "entry@2 beforeTimers@2 beforeSources@2 S@2 timer@2 "
  .. "beforeTimers@2 beforeSources@2 beforeWaiting@2 afterWaiting@2 P@2 "
  .. "beforeTimers@2 beforeSources@2 beforeWaiting@2 afterWaiting@3 exit@3 timedOut@3", "source, timer, port")
