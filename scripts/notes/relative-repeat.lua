-- A timer that is to fire five times, every 5 seconds, and a thread that hangs for 20 seconds after the first fire. The fires that fall
-- into the hitch are not made up one by one: there is one late fire, and the timer goes on at its old points.
-- Look for: fires at 5, 26 (`missed=3`: 15, 20 and 25), 30, 35 and 40: five fires, but they took 40 seconds instead of 25.
local fires = {}

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:scheduleTimer{ name = "fiveTimes", interval = 5, repeats = true, fire = function(timer)
    fires[#fires + 1] = rl.now()
    if #fires == 5 then timer:invalidate() end
  end }
  loop:scheduleTimer{ name = "hitch", after = 6, fire = function() rl.work(20) end }
  rl.expect(loop:run() == "finished", "without its timers the loop is empty")
end)
worker:start()
worker:join()
rl.expect(table.concat(fires, " ") == "5.0 26.0 30.0 35.0 40.0", "one fire for what was missed, then the old grid")
