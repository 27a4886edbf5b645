-- Asked: do observers keep a loop alive?
-- Right: no. A mode with nothing but observers is empty: the run is finished at 0 and no observer is called, not even for entry.
-- Look for: a `run.enter`/`run.exit` pair with nothing between.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (the test for an empty mode)
local worker = rl.thread("worker", function()
  local calls = 0
  local loop = rl.currentLoop()
  loop:addObserver(rl.observer{ name = "watch", activities = "all", handler = function() calls = calls + 1 end })
  rl.expect(loop:runInMode("default", 2) == "finished" and rl.now() == 0, "finished at once")
  rl.expect(calls == 0, "no observer was called")
end)
worker:start()
worker:join()
