--! rlsim: --semantics guide
-- Reported: Apple's guide says that a port which is ready is processed at once, without the notifications of sleep (its step 5).
-- Right (the guide to the letter): no beforeWaiting and no afterWaiting before P. What the code does instead is in
-- port-ready-before-sleep-still-notifies.
-- Look for: `port P` right after `beforeSources`.
-- Source: https://wangsijie.me/ios/2016/04/21/Run-Loop-Sequence-of-Events/ (a mirror of the guide)
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
rl.expect(table.concat(log, " ") == "entry@0 beforeTimers@0 beforeSources@0 P@0 "
  .. "beforeTimers@0 beforeSources@0 beforeWaiting@0 afterWaiting@1 exit@1 timedOut@1", "no sleep is announced before the message")
