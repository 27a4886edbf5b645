-- Listing 3-2: the skeleton of a thread with a run loop. Each run ends after one source or after ten seconds; the result says why, and
-- only "stopped" (somebody called stop) and "finished" (nothing left to wait for) end the thread.
-- Look for: the four results in the `run.exit` lines.
local function startWorker(name, source, results)
  local worker = rl.thread(name, function()
    local loop, done = rl.currentLoop(), false
    -- Add your sources or timers to the run loop and do any other setup.
    loop:addSource(source)
    repeat
      -- Start the run loop but return after each source is handled.
      local result = loop:runInMode("default", 10, true)
      results[#results + 1] = ("%s@%g"):format(result, rl.now())
      -- If a source explicitly stopped the run loop, or if there are no sources or timers, go ahead and exit.
      if result == "stopped" or result == "finished" then done = true end
      -- Check for any other exit conditions here and set the done variable as needed.
    until done
    -- Clean up code here.
  end)
  worker:start()
  return worker
end

local results = {}
local source = rl.source{ name = "input" }
local worker = startWorker("stoppedWorker", source, results)
rl.sleepUntil(3)
source:signal()
worker:loop():wakeUp()
rl.sleepUntil(15)
worker:loop():stop()
worker:join()
rl.expect(table.concat(results, " ") == "handledSource@3 timedOut@13 stopped@15", "one source, ten quiet seconds, then stopped")

results = {}
source = rl.source{ name = "lastInput", perform = function(source) source:invalidate() end }
worker = startWorker("finishedWorker", source, results)
rl.sleepUntil(16)
source:signal()
worker:loop():wakeUp()
worker:join()
rl.expect(table.concat(results, " ") == "handledSource@16 finished@16", "a source that takes itself out leaves an empty loop")
