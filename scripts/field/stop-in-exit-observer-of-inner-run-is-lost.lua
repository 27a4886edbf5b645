-- Reported: "now that the inner loop is leaving, stop the outer one", done in an exit observer, does not stop it.
-- Right: at that moment the inner run is still the current one. The stop sets its flag, which is thrown away right after; the outer run
-- times out at 4.
-- Look for: `loop.stop main` just after the nested run's `exit`.
-- Source: https://github.com/chromium/chromium (message_pump_apple.mm)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local depth = 0
loop:addSource(rl.source{ name = "keepAlive" })
loop:addObserver(rl.observer{ name = "deferredQuit", activities = { "entry", "exit" }, handler = function(activity)
  if activity == "exit" and depth == 2 then loop:stop() end
  depth = depth + (activity == "entry" and 1 or -1)
end })
loop:scheduleTimer{ name = "modal", fireAt = 1, fire = function() note("nested " .. loop:runInMode("default", 1)) end }
note("outer " .. loop:runInMode("default", 4))
rl.expect(table.concat(log, ", ") == "nested timedOut@2, outer timedOut@4", "the outer run is not stopped")
