-- A mode without a source or a timer has nothing to wait for: the run returns at once, without a notification. An observer is not enough.
-- On the main thread the default mode is never empty: the main queue belongs to it.
-- Look for: the worker's `run.enter` and `run.exit result=finished` at 0, with nothing between them.
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local notified = 0
  loop:addObserver(rl.observer{ name = "observer", handler = function() notified = notified + 1 end })
  rl.expect(loop:runInMode("default", 1) == "finished" and rl.now() == 0, "nothing to wait for")
  rl.expect(notified == 0, "not even entry and exit")

  local port = rl.port{ name = "port" }
  loop:addPort(port)
  rl.expect(loop:runInMode("default", 1) == "timedOut" and rl.now() == 1, "a port that never gets anything is enough to stay")
  loop:removePort(port)
  rl.expect(loop:runInMode("default", 1) == "finished" and rl.now() == 1, "without it the mode is empty again")
end)
worker:start()
worker:join()
rl.expect(rl.mainLoop:runInMode("default", 1) == "timedOut" and rl.now() == 2, "the main loop stays")
