-- Two threads, two locks: each has taken one and wants the other one's. Neither gives back what it has, so both wait for ever. This script
-- ends with exit code 1 and fault deadlock: that is what it shows.
-- Look for: two `lock.wait` lines, each with the other thread as `holder`, and `fault deadlock` with the circle.
local left = rl.mutex{ name = "left" }
local right = rl.mutex{ name = "right" }

local worker = rl.thread("worker", function()
  left:lock()
  rl.work(1)
  right:lock()
  rl.expect(false, "the worker never gets here")
end)
worker:start()
right:lock()
rl.work(1)
left:lock()
rl.expect(false, "the main thread never gets here")
