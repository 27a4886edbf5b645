--! rlsim: --semantics guide
-- The example that goes with the sequence of events: a thread with a custom source, which has an event already, and a timer that is due
-- later. In the article's order: the source, then sleep, the timer, and round again. Here to the letter of the guide: after the source the
-- loop goes to sleep in the same pass. (sequence-example.lua is the same script as the code does it.)
-- Look for: what stands between `source input` and `beforeWaiting`.
local log = {}
local function note(what) log[#log + 1] = what end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addObserver(rl.observer{ name = "observer", handler = note })

  local input = rl.source{ name = "input", perform = function() note("SOURCE") end }
  loop:addSource(input)
  input:signal()

  loop:scheduleTimer{ name = "timer", after = 1, fire = function() note("TIMER") end }

  note(loop:runInMode("default", 2))
end)
worker:start()
worker:join()

rl.expect(table.concat(log, " ") == table.concat({
  "entry",
  "beforeTimers beforeSources SOURCE beforeWaiting afterWaiting TIMER",
  "beforeTimers beforeSources beforeWaiting afterWaiting",
  "exit timedOut",
}, " "), "source, sleep, timer, round again, exit")
