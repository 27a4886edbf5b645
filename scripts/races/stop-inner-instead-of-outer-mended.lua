-- The mended stop-inner-instead-of-outer: the stop is sent as a perform for the outer run's mode. The panel runs in a mode of its own and
-- leaves the perform alone, so it is the outer run that carries it out. `rlsim explore` finds nothing.
-- Look for: `perform stop` after the panel's `run.exit mode=modalPanel result=timedOut`.
local stopper = rl.thread("stopper", function()
  rl.performOnMainThread(function() rl.mainLoop:stop() end, { modes = { "default" }, name = "stop" })
end)
rl.mainLoop:addSource(rl.source{ name = "panel" }, "modalPanel")
rl.mainLoop:scheduleTimer{ name = "openPanel", fireAt = 1, fire = function()
  stopper:start()
  rl.yield()
  rl.mainLoop:runInMode("modalPanel", 1)
end }
local result = rl.mainLoop:runInMode("default", 10)
stopper:join()
rl.expect(result == "stopped", "the outer run is stopped")
--! compare: no, the request comes when the panel opens
