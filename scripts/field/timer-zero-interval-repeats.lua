-- Reported: "repeats: true, interval: 0" repeats on Apple platforms but fires once on Linux.
-- Right (Apple, as NSTimer documents it): the interval becomes 0.0001, so the timer fires every 0.1 ms. It is invalidated
-- after five fires here, to keep the trace short. The Linux answer is timer-zero-interval-repeats-linux.
-- Look for: fires 0.0001 apart, from 1 on.
-- Source: https://github.com/cappuccino/cappuccino/pull/1962
local log = {}
local function note(what) log[#log + 1] = ("%s@%.4f"):format(what, rl.now()) end

local eager = rl.timer{ name = "eager", fireAt = 1, interval = 0, repeats = true, fire = function(timer)
  note("eager")
  if #log == 5 then timer:invalidate() end
end }
rl.expect(eager:doesRepeat() and eager:interval() == 0.0001, "interval 0 with repeats means 0.1 ms")
rl.mainLoop:addTimer(eager)
rl.mainLoop:runUntil(3)
rl.expect(table.concat(log, " ") == "eager@1.0000 eager@1.0001 eager@1.0002 eager@1.0003 eager@1.0004", "it repeats every 0.1 ms")
