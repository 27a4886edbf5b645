-- Reported: Apple's guide says that a port which is ready is processed at once, without the notifications of sleep (its step 5). Observers
-- see them although a message was already waiting.
-- Right (the code): only the main queue is looked at early. Any other ready port goes through beforeWaiting and afterWaiting; the loop
-- just does not block. port-ready-before-sleep-still-notifies-guide shows the guide to the letter.
-- Look for: `beforeWaiting` and `afterWaiting wake=port:P` at 0.
-- Source: https://wangsijie.me/ios/2016/04/21/Run-Loop-Sequence-of-Events/ (a mirror of the guide) against CFRunLoop.c
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local port = rl.port{ name = "P", receive = function() note("P") end }
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addPort(port)
  loop:addObserver(rl.observer{ name = "watch", activities = "all", handler = note })
  port:send("early")
  note(loop:runInMode("default", 1))
end)
worker:start()
worker:join()
rl.expect(table.concat(log, " ") == "entry@0 beforeTimers@0 beforeSources@0 beforeWaiting@0 afterWaiting@0 P@0 "
  .. "beforeTimers@0 beforeSources@0 beforeWaiting@0 afterWaiting@1 exit@1 timedOut@1", "the sleep is announced although it does not happen")
