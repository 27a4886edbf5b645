-- Listing 3-10: two ways to make a timer. The first is made with a date and added to the loop by hand, which allows any mode; the second
-- is scheduled, that is made and added to the default mode in one step.
-- Look for: `timer myDoFireTimer1` from 1 on, every 0.1 s; `timer myDoFireTimer2` from 0.2 on, every 0.2 s.
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()

  -- Create and schedule the first timer.
  local futureDate = rl.now() + 1
  local myTimer = rl.timer{ name = "myDoFireTimer1", fireAt = futureDate, interval = 0.1, repeats = true }
  loop:addTimer(myTimer, "default")

  -- Create and schedule the second timer.
  local second = loop:scheduleTimer{ name = "myDoFireTimer2", interval = 0.2, repeats = true }

  loop:runUntil(1.25)
  rl.expect(myTimer:fireCount() == 3, "at 1, 1.1 and 1.2")
  rl.expect(second:fireCount() == 6, "at 0.2, 0.4, … 1.2")
end)
worker:start()
worker:join()
--! compare: no, two timers fire at the same moment
