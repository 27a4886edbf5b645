-- The same loop as in wait-forever, but somebody forgot the source. A mode without sources and timers has nothing to wait for, so
-- `runMode` gives false at once, whatever the date, and the `while` around it becomes an endless loop that eats a processor.
-- Look for: no sleep and no step of the clock; the simulator stops it as a fault.
-- Exit code 1, fault busyLoop.
local shouldStop = false

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  rl.expect(loop:runMode("default", rl.distantFuture) == false, "there is nothing to wait for")
  rl.expect(rl.now() == 0, "so it does not wait")
  while not shouldStop do
    loop:runMode("default", rl.distantFuture)
  end
end)
worker:start()
--! compare: no, it loops without end
