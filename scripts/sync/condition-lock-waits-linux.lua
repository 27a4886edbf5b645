--! rlsim: --semantics linux
-- Reported (Linux): a program with a condition lock ends by a trap as soon as a thread has to wait for the lock. Foundation's lock() and
-- lock(whenCondition:) wait there until `distantFuture`, as its lock(before:) of a mutex does when told so, and that date becomes a number
-- that has no room for it. While nobody waits, or with a nearer date, all is well.
-- Look for: the wait until 0.3 that ends well; the trap at 0.5, with `end reason=fault detail=trap`. Exit code 3.
-- Source: swift-corelibs-foundation, NSLock.swift (NSConditionLock.lock(whenCondition:before:), NSCondition.wait(until:))
local lock = rl.conditionLock{ name = "hasItems", condition = 0 }
rl.thread("producer", function()
  lock:lock()
  rl.sleepUntil(0.2)
  lock:unlockWith(1)
  rl.sleepUntil(0.4)
  lock:lock()
  rl.sleepUntil(1)
  lock:unlock()
end):start()
rl.sleepUntil(0.1)
rl.expect(lock:lockWhen(1, 0.3), "with a date it waits, and gets the lock at 0.2")
lock:unlockWith(0)
rl.sleepUntil(0.5)
lock:lock()
rl.log("not reached")
