-- Reported: a watcher thread is shut down by a stop that arrives in the middle of a callback.
-- Right: the callback finishes; the run ends at 2, right after it, without another pass. The next run is a normal one: the stop is spent,
-- and its wake-up was ignored.
-- Look for: `loop.stop worker` at 1.5, `run.exit result=stopped` at 2.
-- Source: https://github.com/Axosoft/nsfw/issues/21
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:addObserver(rl.observer{ name = "passes", activities = { "beforeTimers" }, handler = function() note("pass") end })
  loop:scheduleTimer{ name = "busy", fireAt = 1, fire = function()
    note("begin")
    rl.work(1)
    note("end")
  end }
  note(loop:runInMode("default", 5))
  note(loop:runInMode("default", 0.4))
end)
worker:start()
rl.sleepUntil(1.5)
worker:loop():stop()
worker:join()
rl.expect(table.concat(log, " ") == "pass@0 begin@1 end@2 stopped@2 pass@2 timedOut@2.4", "stopped after the callback, then a normal run")
