-- Leave thread priorities at their default. Here one processor is shared by two threads: as long as the high one has something to compute,
-- the low one does not run, although it needs a tenth of a second only.
-- Look for: the low thread is started first and logs last.
rl.machine{ cores = 1, quantum = 0.03 }

local function compute(name, priority, seconds, ends)
  local thread = rl.thread{ name = name, joinable = true, priority = priority, entry = function()
    rl.work(seconds)
    ends[name] = rl.now()
    rl.log("done")
  end }
  thread:start()
  return thread
end

local function race(lowPriority, highPriority)
  local ends, start = {}, rl.now()
  local low = compute("low", lowPriority, 0.1, ends)
  local high = compute("high", highPriority, 1, ends)
  low:join()
  high:join()
  return ends.low - start, ends.high - start
end

local low, high = race(0.1, 0.9)
rl.expect(high < low, "the long job of high priority is done first")
rl.expect(math.abs(low - 1.1) < 1e-6, "the short one has waited for all of it")

low, high = race(0.5, 0.5)
rl.expect(low < high, "with equal priorities they take turns, and the short job is done first")
--! compare: no, it simulates a machine with one processor
