-- `signal` only marks a custom source. A loop that sleeps does not notice; it needs a `wakeUp`, or anything else that wakes it.
-- Look for: the source is signalled at 1 and performed at 5, when a timer happens to wake the loop; signalled and woken at 6, it is
-- performed at 6.
local performedAt = {}
local source = rl.source{ name = "work", perform = function() performedAt[#performedAt + 1] = rl.now() end }

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(source)
  loop:scheduleTimer{ name = "unrelated", fireAt = 5 }
  loop:runInMode("default", 8)
end)
worker:start()

rl.sleepUntil(1)
source:signal()

rl.sleepUntil(6)
source:signal()
worker:loop():wakeUp()

worker:join()
rl.expect(table.concat(performedAt, " ") == "5.0 6.0", "the first signal waited for a wake-up, the second brought its own")
