-- A thread that does not run its loop cannot carry out a perform. Here it works for a second and ends; who waits for its perform gets the
-- error `target thread exited while waiting for the perform`. Mended: something that keeps the loop alive, and a run.
-- Look for: the main thread blocked from 0 to 1; on the second worker `perform late` at once.
local mortal = rl.thread("mortal", function() rl.work(1) end)
mortal:start()
local performed = false
local ok, message = pcall(function()
  mortal:perform(function() performed = true end, { wait = true, name = "late" })
end)
rl.log(message)
rl.expect(not ok and not performed and rl.now() == 1, "an error when the thread ends")
rl.expect(tostring(message):find("target thread exited while waiting for the perform", 1, true), "which says why")
mortal:join()

local kept = rl.thread("kept", function()
  local loop = rl.currentLoop()
  loop:addPort(rl.port{ name = "keepAlivePort" })
  loop:runMode("default", rl.distantFuture)
end)
kept:start()
kept:perform(function() performed = true end, { wait = true, name = "late" })
rl.expect(performed and rl.now() == 1, "a thread that runs its loop carries it out")
kept:join()
