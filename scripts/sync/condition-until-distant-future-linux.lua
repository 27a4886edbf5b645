--! rlsim: --semantics linux
-- Reported (Linux): waiting for a condition until `distantFuture`, which on Apple's platforms means for ever, ends the process: Foundation
-- turns the date into a number that has no room for it. Wait without a date instead.
-- Look for: the trace ends at 0.5, with `end reason=fault detail=trap`; the worker's signal at 1 never comes. Exit code 3.
-- Source: swift-corelibs-foundation, NSLock.swift (NSCondition.wait(until:))
local condition = rl.condition{ name = "condition" }
rl.thread("worker", function()
  rl.sleepUntil(1)
  condition:lock()
  condition:signal()
  condition:unlock()
end):start()
rl.sleepUntil(0.5)
condition:lock()
condition:waitUntil(rl.distantFuture)
rl.log("not reached")
