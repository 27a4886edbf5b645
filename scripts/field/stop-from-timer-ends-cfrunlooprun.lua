-- Asked: what does a stop from a callback do to CFRunLoopRun?
-- Right: it ends it. `run()` goes on after timedOut and handledSource only; its second fire stops it at 2.
-- Look for: `loop.stop worker` and `run.exit result=stopped` at 2.
-- Source: https://developer.apple.com/library/archive/documentation/CoreFoundation/Conceptual/CFRunLoops/Tasks/Running.html
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:scheduleTimer{ name = "tick", fireAt = 1, interval = 1, fire = function()
    note("tick")
    if #log == 2 then loop:stop() end
  end }
  note(loop:run())
end)
worker:start()
worker:join()
rl.expect(table.concat(log, " ") == "tick@1 tick@2 stopped@2", "the second fire ends the loop")
