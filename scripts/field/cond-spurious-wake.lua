-- Reported: code that waits for a condition with `if` goes on, or a worker ends, although nobody has signalled.
-- Right: a wait may end for nothing. With `if` the worker goes on with an empty queue, long before the item of 2; with `while` it looks
-- again and takes the item at 2.
-- Look for: `condition.wake ... spurious=true` on both threads, and what each does next.
-- Source: https://github.com/grpc/grpc-swift/issues/21, https://github.com/uber/swift-concurrency/pull/9,
-- https://github.com/swiftlang/swift-subprocess/issues/348, https://github.com/BoltsFramework/Bolts-ObjC/issues/134
rl.machine{ spuriousWakeups = true }

local function startWorker(name, take)
  local condition, queue = rl.condition{ name = name .. "Condition" }, {}
  local worker = rl.thread(name, function()
    condition:lock()
    local item = take(condition, queue)
    condition:unlock()
    return item, rl.now()
  end)
  worker:start()
  local function put(item)
    condition:lock()
    queue[#queue + 1] = item
    condition:signal()
    condition:unlock()
  end
  return worker, put
end

local withIf, putForIf = startWorker("if", function(condition, queue)
  if #queue == 0 then condition:wait() end
  return table.remove(queue, 1)
end)
local withWhile, putForWhile = startWorker("while", function(condition, queue)
  while #queue == 0 do condition:wait() end
  return table.remove(queue, 1)
end)
rl.sleepUntil(2)
putForIf("item")
putForWhile("item")

local item, date = withIf:join()
rl.expect(item == nil and date < 2, "with `if` it takes from an empty queue")
item, date = withWhile:join()
rl.expect(item == "item" and date == 2, "with `while` it waits for the item")
--! compare: no, it simulates a machine whose conditions wake up for nothing
