-- A writer fills in the data, then raises a flag. Compiler and processor may swap two plain writes; a barrier between them says that all
-- before it is seen before anything after it. The reader needs one, too, between its two reads. (The simulator never swaps steps: the
-- barriers stand where real code needs them. The flag is atomic, and that is what makes the order known to the explorer.)
-- Look for: data before flag on the writer, flag before data on the reader.
rl.trace{ show = { "thread", "access", "log" } }
local data = rl.shared{ name = "data", value = 0 }
local flag = rl.atomic{ name = "flag", value = 0 }

local writer = rl.thread("writer", function()
  data:set(42)
  rl.memoryBarrier()
  flag:store(1)
end)
local reader = rl.thread("reader", function()
  if flag:load() == 0 then return end -- not yet
  rl.memoryBarrier()
  local seen = data:get()
  rl.log("data", seen)
  rl.expect(seen == 42, "who sees the flag sees the data")
end)
writer:start()
reader:start()
writer:join()
reader:join()
--! compare: no, the reader may look before or after the flag is raised
