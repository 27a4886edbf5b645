-- Reported: a run makes one unexplained empty pass at its start.
-- Right: an entry observer stopped the run before. That run ended without a pass, so the stop's wake-up was never consumed; the next run
-- takes it, and then sleeps to its deadline.
-- Look for: the `afterWaiting` at 0 in the second run.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (CFRunLoopStop against the test after the entry notification)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:addObserver(rl.observer{ name = "watch", activities = "all", handler = note })
  loop:addObserver(rl.observer{ name = "stopper", activities = { "entry" }, repeats = false, handler = function() loop:stop() end })
  note(loop:runInMode("default", 2))
  rl.expect(table.concat(log, " ") == "entry@0 exit@0 stopped@0", "stopped without a single pass")

  log = {}
  note(loop:runInMode("default", 1))
  rl.expect(table.concat(log, " ") == "entry@0 beforeTimers@0 beforeSources@0 beforeWaiting@0 afterWaiting@0 "
    .. "beforeTimers@0 beforeSources@0 beforeWaiting@0 afterWaiting@1 exit@1 timedOut@1", "the old wake-up makes one empty pass")
end)
worker:start()
worker:join()
