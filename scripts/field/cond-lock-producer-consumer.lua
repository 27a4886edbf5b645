-- Reported (for one implementation): items are lost, taken twice or out of order, or the waiting consumer uses up the processor.
-- Right: the lock's condition says whether there is anything, 1, or nothing, 0. The consumer sleeps until it is 1 and the lock is free; the
-- items of 1, 1 and 2 are taken in order, when they come.
-- (Under `linux` the first wait ends the process: sync/condition-lock-waits-linux.lua.)
-- Look for: the consumer asleep between 1 and 2.
-- Source: https://github.com/gnustep/libs-base (Tests/base/NSLock/condlock.m), https://github.com/swiftlang/swift-corelibs-foundation/pull/695
local lock = rl.conditionLock{ name = "hasItems", condition = 0 }
local queue, log = {}, {}

local consumer = rl.thread("consumer", function()
  for _ = 1, 3 do
    lock:lockWhen(1)
    log[#log + 1] = ("%s@%g"):format(table.remove(queue, 1), rl.now())
    lock:unlockWith(#queue > 0 and 1 or 0)
  end
end)
consumer:start()

local function produce(item)
  lock:lock()
  queue[#queue + 1] = item
  lock:unlockWith(1)
end
rl.sleepUntil(1)
produce("a")
produce("b")
rl.sleepUntil(2)
produce("c")
consumer:join()
rl.expect(table.concat(log, " ") == "a@1 b@1 c@2", "all of them, once, in order, at once")
rl.expect(lock:condition() == 0, "nothing is left")
--! compare: without lock, main and the consumer are after the lock at the same moment
