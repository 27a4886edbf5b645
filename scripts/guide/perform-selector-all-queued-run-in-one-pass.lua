-- Unlike the messages of a port, of which each pass receives one, all perform requests that are queued are carried out in one pass.
-- Look for: at 2, when the worker has time again, three `perform` lines in a row; at 3 each `port mailbox` line after a `beforeTimers` of
-- its own.
local pass, passOf, mailbox = 0, {}, nil

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addObserver(rl.observer{ name = "passes", activities = { "beforeTimers" }, handler = function() pass = pass + 1 end })
  mailbox = rl.port{ name = "mailbox", receive = function(message) passOf[message] = pass end }
  loop:addPort(mailbox)
  loop:scheduleTimer{ name = "busy", after = 1, fire = function() rl.work(1) end }
  loop:runInMode("default", 4)
end)
worker:start()

rl.sleepUntil(1.5)
for _, name in ipairs{ "a", "b", "c" } do
  worker:perform(function() passOf[name] = pass end, { name = name })
end

rl.sleepUntil(3)
for _, message in ipairs{ "x", "y", "z" } do mailbox:send(message) end
worker:join()

rl.expect(passOf.a ~= nil and passOf.b == passOf.a and passOf.c == passOf.a, "three performs, one pass")
rl.expect(passOf.x > passOf.c and passOf.y > passOf.x and passOf.z > passOf.y, "three messages, three passes")
