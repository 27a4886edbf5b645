-- The loop tells its observers what it is about to do: entry; in each pass beforeTimers, beforeSources, beforeWaiting, afterWaiting; exit.
-- A pass that has performed a source does not sleep, so it leaves out the two in the middle. Timers fire after the sleep, whatever the name
-- beforeTimers says.
-- Look for: `source work` in the first pass and no `beforeWaiting` after it; `timer tick` after `afterWaiting`.
local log = {}
local function note(what) log[#log + 1] = what end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local work = rl.source{ name = "work", perform = function() note("source") end }
  loop:addSource(work)
  loop:scheduleTimer{ name = "tick", fireAt = 1, fire = function() note("timer") end }
  loop:addObserver(rl.observer{ name = "observer", activities = "all", handler = note })
  work:signal()
  note(loop:runInMode("default", 1.5))
end)
worker:start()
worker:join()
rl.expect(table.concat(log, " ") == table.concat({
  "entry",
  "beforeTimers beforeSources source",
  "beforeTimers beforeSources beforeWaiting afterWaiting timer",
  "beforeTimers beforeSources beforeWaiting afterWaiting",
  "exit timedOut",
}, " "), "three passes: source, timer, limit")
