-- `stop` ends the innermost run. Here a thread wants to end the main loop's run, while a callback of that run is about to open a panel: a
-- nested run of one second.
-- Fault: if the panel is open when the stop comes, the stop closes the panel, and the outer run goes on to its limit. `rlsim explore`
-- finds: expectation. Under the default schedule the stop comes before the panel opens, and ends the outer run once the panel is closed.
-- Look for, in the trace that explore finds: `loop.stop main` between `run.enter mode=modalPanel` and its `run.exit result=stopped`.
local stopper = rl.thread("stopper", function() rl.mainLoop:stop() end)
rl.mainLoop:addSource(rl.source{ name = "panel" }, "modalPanel")
rl.mainLoop:scheduleTimer{ name = "openPanel", fireAt = 1, fire = function()
  stopper:start()
  rl.yield()
  rl.mainLoop:runInMode("modalPanel", 1)
end }
local result = rl.mainLoop:runInMode("default", 10)
stopper:join()
rl.expect(result == "stopped", "the outer run is stopped")
--! compare: no, whether the stopper has begun when main goes on is a race
