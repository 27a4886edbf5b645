-- Reported: after one slow callback a repeating timer "loses" ticks instead of firing several times to catch up.
-- Right: that is how it works. The first callback lasts from 1 to 4.5; the points 2, 3 and 4 have passed by then and get no
-- callback at all. The next fire is at 5, and the grid 1, 2, 3, ... has not drifted.
-- Look for: `timer tick fire=2` at 5, with nothing between the two.
-- Source: https://github.com/michaelvillar/timer-app/issues/90, https://github.com/rust-windowing/winit/pull/4703
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end
local function at(t) return math.abs(rl.now() - t) < 1e-9 end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local tick = rl.timer{ name = "tick", fireAt = 1, interval = 1, fire = function()
    note("tick")
    if #log == 1 then rl.work(3.5) end
  end }
  loop:addTimer(tick, "default")

  local result = loop:runInMode("default", 8.5)
  rl.expect(result == "timedOut" and at(8.5), "the run times out at 8.5")
  rl.expect(table.concat(log, " ") == "tick@1 tick@5 tick@6 tick@7 tick@8", "2, 3 and 4 are coalesced, the grid is kept")
  rl.expect(tick:missedCount() == 3, "three points were missed")
end)
worker:start()
worker:join()
