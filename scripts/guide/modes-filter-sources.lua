-- A run looks only at what is in its mode. Everything else keeps its events until the loop runs in a mode that it belongs to.
-- Look for: in the run of "private", at 0 to 1, only `source inPrivate`; the others are served as soon as the default mode runs.
local log = {}
local function note(what) return function() log[#log + 1] = ("%s@%g"):format(what, rl.now()) end end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()

  local inPrivate = rl.source{ name = "inPrivate", perform = note("private source") }
  loop:addSource(inPrivate, "private")
  local inDefault = rl.source{ name = "inDefault", perform = note("source") }
  loop:addSource(inDefault, "default")
  local port = rl.port{ name = "port", receive = note("port") }
  loop:addPort(port, "default")
  loop:addTimer(rl.timer{ name = "timer", fireAt = 0.5, fire = note("timer") }, "default")

  inPrivate:signal()
  inDefault:signal()
  port:send("message")

  loop:runInMode("private", 1)
  rl.expect(table.concat(log, ", ") == "private source@0", "one mode's source")
  rl.expect(inDefault:isSignalled(), "the other mode's source stays signalled")

  loop:runInMode("default", 1)
  table.sort(log) -- which of the ready ones comes first does not matter here
  rl.expect(table.concat(log, ", ") == "port@1, private source@0, source@1, timer@1", "the rest waited for the default mode")
end)
worker:start()
worker:join()
