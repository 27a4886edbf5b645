-- Asked: a private mode is declared common, and nothing was ever added to it. Is a request for the common modes carried out there?
-- Right: yes. To declare it makes no mode: a run of it finishes at once, as of an unknown one. But the request joins each common mode, as
-- any item does that is added to `common`, and that makes the mode.
-- Look for: `run.exit mode=private result=finished` at 0, and `perform request` in the same mode at 1.
-- Source: CFRunLoop.c, CFRunLoopAddSource; found by comparing with the library (docs/fidelity.md)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addCommonMode("private")
  note(loop:runInMode("private", 1, true))
  rl.sleepUntil(1)
  note(loop:runInMode("private", 1, true))
end)
worker:start()
rl.sleepUntil(0.5)
worker:perform(function() note("request") end, { name = "request" })
worker:join()
rl.expect(table.concat(log, " ") == "finished@0 request@1 handledSource@1", "the request makes the mode")
