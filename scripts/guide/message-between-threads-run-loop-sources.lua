-- Table 1-3, ways to pass messages between threads: a custom run-loop source. The thread sleeps in its loop until a client has put
-- something into the buffer, has signalled the source and has woken the loop. (All of it, with its lock: custom-source.lua.)
-- Look for: `source.signal orders` and `loop.wakeUp worker` at 1, then one `source orders` for both orders.
local buffer, served = {}, {}

local orders = rl.source{ name = "orders", perform = function()
  for _, order in ipairs(buffer) do served[#served + 1] = ("%s@%g on %s"):format(order, rl.now(), rl.currentThread().name) end
  buffer = {}
end }

local worker = rl.thread("worker", function()
  rl.currentLoop():addSource(orders)
  rl.currentLoop():run()
end)
worker:start()

rl.sleepUntil(1)
for _, order in ipairs{ "tea", "cake" } do
  table.insert(buffer, order)
  orders:signal() -- twice, for one perform
end
worker:loop():wakeUp()

rl.sleepUntil(2)
rl.expect(table.concat(served, ", ") == "tea@1 on worker, cake@1 on worker", "both orders are served at once")
worker:loop():stop()
worker:join()
