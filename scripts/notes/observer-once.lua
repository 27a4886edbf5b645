-- A way to do something once, when the loop is about to sleep for the first time: an observer that does not repeat. (Swift:
-- CFRunLoopObserverCreateWithHandler with `repeats: false`.)
-- Look for: one `observer whenIdle`, after the source and the block that were waiting, before the first sleep; none before the second.
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local source = rl.source{ name = "input", perform = function() note("source") end }
  loop:addSource(source)
  source:signal()
  loop:performBlock(function() note("block") end)

  loop:scheduleTimer{ name = "timer", after = 1, fire = function() note("timer") end }
  local whenIdle = rl.observer{ name = "whenIdle", activities = { "beforeWaiting" }, repeats = false, handler = function()
    note("idle")
  end }
  loop:addObserver(whenIdle)

  loop:runInMode("default", 2)
  rl.expect(not whenIdle:isValid(), "it is spent")
end)
worker:start()
worker:join()
rl.expect(table.concat(log, " ") == "block@0 source@0 idle@0 timer@1", "once, when there was nothing left to do")
