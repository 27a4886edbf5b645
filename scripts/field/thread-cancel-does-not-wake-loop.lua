-- Reported: a cancelled thread keeps sleeping in its loop.
-- Right: cancelling sets a flag and wakes nobody: the run returns at 3, with the flag set. To end early it takes a wake-up, or a
-- signalled source, as well.
-- Look for: the worker's silence at 1.
-- Source: https://github.com/microsoft/WinObjC/issues/2754
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  rl.expect(loop:runMode("default", 3) == true and rl.now() == 3, "the run lasts to its date")
  rl.expect(rl.currentThread():isCancelled(), "the thread has been cancelled meanwhile")
end)
worker:start()
rl.sleepUntil(1)
worker:cancel()
worker:join()
