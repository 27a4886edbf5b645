-- Reported: terminate() touches a loop whose thread may just have ended; the authors saw no way to force that race.
-- Right: both schedules, one after the other. Stopped while it runs, the loop ends at 0.5. Stopped after its thread has ended, nothing
-- happens, provided that the caller still holds the loop (on a real system without that: a use after free).
-- Look for: the `loop.stop` after `thread.exit`.
-- Source: https://github.com/flutter-team-archive/engine/pull/34735
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local function stopAt(name, t)
  local loop
  local worker = rl.thread(name, function()
    loop = rl.currentLoop()
    loop:addSource(rl.source{ name = "keepAlive" })
    note(loop:runInMode("default", 1))
  end)
  worker:start()
  rl.sleepUntil(t)
  loop:stop()
  worker:join()
end

stopAt("stoppedInTime", 0.5)
rl.expect(table.concat(log, " ") == "stopped@0.5", "a stop before the end works")
stopAt("stoppedTooLate", 2)
rl.expect(table.concat(log, " ") == "stopped@0.5 timedOut@1.5", "a stop after the end does nothing")
