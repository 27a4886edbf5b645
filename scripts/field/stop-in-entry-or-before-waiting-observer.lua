-- Reported: does a loop that is stopped from an observer still sleep, and are the notifications balanced?
-- Right: stopped at entry, it makes no pass at all: entry, exit. Stopped before waiting, the wait returns at once and everything is
-- balanced: entry, beforeTimers, beforeSources, beforeWaiting, afterWaiting, exit. Both at 0, both `stopped`.
-- Look for: the activities on both threads.
-- Source: https://github.com/qt/qtbase (qeventdispatcher_cf.mm)
local function stopIn(activity)
  local log = {}
  local worker = rl.thread("stopIn" .. activity, function()
    local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end
    local loop = rl.currentLoop()
    loop:addSource(rl.source{ name = "keepAlive" })
    loop:addObserver(rl.observer{ name = "watch", activities = "all", handler = note })
    loop:addObserver(rl.observer{ name = "stopper", activities = { activity }, handler = function() loop:stop() end })
    note(loop:runInMode("default", 2))
  end)
  worker:start()
  worker:join()
  return table.concat(log, " ")
end

rl.expect(stopIn("entry") == "entry@0 exit@0 stopped@0", "no pass at all")
rl.expect(stopIn("beforeWaiting") == "entry@0 beforeTimers@0 beforeSources@0 beforeWaiting@0 afterWaiting@0 exit@0 stopped@0",
  "one balanced pass, no sleep")
