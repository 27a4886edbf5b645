-- Reported: a repeating timer of 0.1 µs stalls its thread after the process was held up, in proportion to the time away.
-- Right: 5 s away are 50 million missed points, and still there is one more fire only. The real code steps over the points
-- one by one on the loop's thread (about 57 ms of processor time); the simulator works the next point out at once.
-- Look for: two fires, and the number of missed points.
-- Source: https://github.com/rust-windowing/winit/pull/4703
local fires = {}

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local tiny = rl.timer{ name = "tiny", fireAt = 0, interval = 1e-7, fire = function(timer)
    fires[#fires + 1] = rl.now()
    if #fires == 1 then rl.work(5) else timer:invalidate() end
  end }
  loop:addTimer(tiny)
  loop:runInMode("default", 10)
  rl.expect(#fires == 2, "one fire, five busy seconds, one more fire")
  rl.expect(fires[1] == 0 and math.abs(fires[2] - 5) < 2e-7, "the second fire comes right after the busy time")
  rl.expect(math.abs(tiny:missedCount() - 50000000) <= 1, "50 million points were missed")
end)
worker:start()
worker:join()
--! compare: no, the grid is finer than real threads are punctual
