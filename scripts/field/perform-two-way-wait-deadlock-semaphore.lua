-- Reported: the app is frozen, as in perform-two-way-wait-deadlock; here the main thread waits for a semaphore that the worker signals
-- after its perform on the main thread.
-- Right: both wait for ever. No lock is held by anybody, so the circle is not one of locks. This script ends with exit code 1 and fault
-- stuck: that is what it shows.
-- Look for: `fault stuck` at 1, the main thread at its semaphore.
-- Source: https://github.com/AFNetworking/AFNetworking/pull/2414, https://github.com/BoltsFramework/Bolts-ObjC/pull/268
local done = rl.semaphore{ name = "done" }
local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:scheduleTimer{ name = "callback", fireAt = 1, fire = function()
    rl.performOnMainThread(function() rl.expect(false, "the perform never runs") end, { wait = true, name = "toMain" })
    done:signal()
  end }
  loop:run()
end)
worker:start()
rl.sleepUntil(1)
done:wait()
rl.expect(false, "the main thread never gets here")
