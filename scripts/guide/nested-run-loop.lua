-- A callback may run the loop itself: here a source shows a modal panel. The inner run has its own mode, its own deadline and its own stop;
-- the outer run waits in its callback until the inner one returns.
-- Look for: `run.enter mode=modalPanel` inside `source showPanel`; `loop.stop` ends this inner run only.
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addTimer(rl.timer{ name = "background", fireAt = 2, fire = function() note("background in " .. loop:currentMode()) end }, "default")
  loop:addTimer(rl.timer{ name = "okButton", fireAt = 3, fire = function()
    note("ok in " .. loop:currentMode())
    loop:stop()
  end }, "modalPanel")

  local showPanel = rl.source{ name = "showPanel", perform = function()
    note("panel " .. loop:runInMode("modalPanel", 10))
    rl.expect(loop:currentMode() == "default", "back in the outer run's mode")
  end }
  loop:addSource(showPanel)
  showPanel:signal()
  note("outer " .. loop:runInMode("default", 5))
end)
worker:start()
worker:join()

rl.expect(table.concat(log, ", ") == "ok in modalPanel@3, panel stopped@3, background in default@3, outer timedOut@5",
  "the inner run is stopped; the outer one catches up on its timer and lasts to its own deadline")
