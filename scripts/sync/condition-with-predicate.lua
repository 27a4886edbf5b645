-- A condition may wake a thread although nobody has signalled. So what is waited for is a fact, looked at again after each wake-up: `while
-- not fact do wait() end`. The consumer is woken for nothing, sees that there is nothing, and waits on until the item of 2 is there.
-- Look for: `condition.wake notEmpty spurious=true`, then another `condition.wait`; the item taken at 2.
rl.machine{ spuriousWakeups = true }
local notEmpty = rl.condition{ name = "notEmpty" }
local items = rl.shared{ name = "items", value = 0 }

local consumer = rl.thread("consumer", function()
  notEmpty:lock()
  while items:get() == 0 do notEmpty:wait() end
  items:set(items:get() - 1)
  notEmpty:unlock()
  rl.expect(rl.now() == 2, "it waits until the item is there")
end)
consumer:start()
rl.sleepUntil(2)
notEmpty:lock()
items:set(items:get() + 1)
notEmpty:signal()
notEmpty:unlock()
consumer:join()
rl.expect(items:get() == 0, "one item came, one was taken")
--! compare: no, it simulates a machine whose conditions wake up for nothing
