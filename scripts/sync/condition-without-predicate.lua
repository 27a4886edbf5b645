-- The same as condition-with-predicate, without looking again: "the wait has ended, so there is an item". A wake-up for nothing is enough,
-- and the consumer takes an item that is not there.
-- Look for: `condition.wake notEmpty spurious=true` and the consumer's end long before 2.
rl.machine{ spuriousWakeups = true }
local notEmpty = rl.condition{ name = "notEmpty" }
local items = rl.shared{ name = "items", value = 0 }

local consumer = rl.thread("consumer", function()
  notEmpty:lock()
  notEmpty:wait()
  items:set(items:get() - 1)
  notEmpty:unlock()
  rl.expect(rl.now() < 2, "the wait ends although nobody has signalled")
end)
consumer:start()
rl.sleepUntil(2)
rl.expect(items:get() == -1, "an item was taken that is not there")
notEmpty:lock()
items:set(items:get() + 1)
notEmpty:signal()
notEmpty:unlock()
consumer:join()
--! compare: no, it simulates a machine whose conditions wake up for nothing
