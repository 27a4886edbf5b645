-- Asked: is a perform on a thread that has already finished dropped silently, or an error?
-- Right: with wait, an error in the caller; without, it is dropped (GNUstep raises at once in both cases; Apple's code is closed).
-- Look for: `perform.drop`.
-- Source: https://github.com/gnustep/libs-base (Source/NSThread.m)
local performed = false
local worker = rl.thread("worker", function() rl.sleepUntil(1) end)
worker:start()
rl.sleepUntil(2)
rl.expect(worker:isFinished(), "the worker has finished")
rl.expect(pcall(worker.perform, worker, function() performed = true end, { name = "noWait" }), "without wait: no error")
rl.expect(not pcall(worker.perform, worker, function() performed = true end, { wait = true, name = "wait" }), "with wait: an error")
worker:join()
rl.expect(not performed and rl.now() == 2, "neither was run, nobody waited")
