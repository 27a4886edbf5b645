-- Unlike the messages of a port, of which each pass receives one, all perform requests that are queued are carried out in one pass.
-- Look for: at 1 three `perform` lines in a row; at 2 each `port mailbox` line after a `beforeTimers` of its own.
local pass, passOf, mailbox = 0, {}, nil

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addObserver(rl.observer{ name = "passes", activities = { "beforeTimers" }, handler = function() pass = pass + 1 end })
  mailbox = rl.port{ name = "mailbox", receive = function(message) passOf[message] = pass end }
  loop:addPort(mailbox)
  loop:runInMode("default", 3)
end)
worker:start()

rl.sleepUntil(1)
for _, name in ipairs{ "a", "b", "c" } do
  worker:perform(function() passOf[name] = pass end, { name = name })
end

rl.sleepUntil(2)
for _, message in ipairs{ "x", "y", "z" } do mailbox:send(message) end
worker:join()

rl.expect(passOf.a ~= nil and passOf.b == passOf.a and passOf.c == passOf.a, "three performs, one pass")
rl.expect(passOf.y == passOf.x + 1 and passOf.z == passOf.y + 1, "three messages, three passes")
