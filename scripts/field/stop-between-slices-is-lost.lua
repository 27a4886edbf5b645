-- Reported: a thread that runs its loop in slices misses a stop that falls between two slices.
-- Right: a stop with no run under way does nothing: all three slices time out. Mended: a shared flag, set before the stop and looked at
-- before each slice; the thread ends at 1.5, when the gap is over.
-- Look for: `loop.stop ... lost=true` at 1.2.
-- Source: https://github.com/AprilNEA/OpenLogi/pull/263
local log, quit
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local function startSlices(name)
  log, quit = {}, false
  local worker = rl.thread(name, function()
    local loop = rl.currentLoop()
    loop:addSource(rl.source{ name = "keepAlive" })
    for _ = 1, 3 do
      if quit then break end
      note(loop:runInMode("default", 1))
      rl.work(0.5)
    end
    note("end")
  end)
  worker:start()
  return worker
end

local worker = startSlices("broken")
rl.sleepUntil(1.2)
worker:loop():stop()
worker:join()
rl.expect(table.concat(log, " ") == "timedOut@1 timedOut@2.5 timedOut@4 end@4.5", "the stop is lost")

rl.sleepUntil(10)
worker = startSlices("mended")
rl.sleepUntil(11.2)
quit = true
worker:loop():stop()
worker:join()
rl.expect(table.concat(log, " ") == "timedOut@11 end@11.5", "the flag is not")
