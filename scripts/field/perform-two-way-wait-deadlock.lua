-- Reported: the app is frozen. The main thread performs on a worker and waits, while the worker performs on the main thread and waits.
-- Right: both wait for ever, each for a loop that the other one does not serve. This script ends with exit code 1 and fault deadlock:
-- that is what it shows.
-- Look for: `fault deadlock` at 1 with the cycle main, worker, main.
-- Source: https://github.com/AFNetworking/AFNetworking/pull/2414, https://github.com/BoltsFramework/Bolts-ObjC/pull/268
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:scheduleTimer{ name = "callback", fireAt = 1, fire = function()
    rl.performOnMainThread(function() rl.expect(false, "the worker's perform never runs") end, { wait = true, name = "toMain" })
    rl.expect(false, "the worker never gets here")
  end }
  loop:run()
end)
worker:start()
rl.sleepUntil(1)
worker:perform(function() rl.expect(false, "the main thread's perform never runs") end, { wait = true, name = "toWorker" })
rl.expect(false, "the main thread never gets here")
