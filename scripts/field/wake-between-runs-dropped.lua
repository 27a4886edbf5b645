-- Reported: a wake-up that is sent while the loop is not running does not cut the next sleep short.
-- Right: it is dropped; the run sleeps to its deadline. That is harmless for signalled sources and queued blocks, which the first pass
-- looks at anyway, and fatal for code that uses the wake-up as its only message.
-- Look for: `loop.wakeUp worker ignored=true` at 0.1, and the `afterWaiting` at 1.1.
-- Source: https://github.com/AprilNEA/OpenLogi/pull/263
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:runInMode("default", 0)
  rl.sleepUntil(0.1)
  loop:wakeUp()
  loop:addObserver(rl.observer{ name = "watch", activities = "all", handler = note })
  note(loop:runInMode("default", 1))
end)
worker:start()
worker:join()
rl.expect(table.concat(log, " ") == "entry@0.1 beforeTimers@0.1 beforeSources@0.1 beforeWaiting@0.1 afterWaiting@1.1 exit@1.1 timedOut@1.1",
  "the sleep is not cut short")
