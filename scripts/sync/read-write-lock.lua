-- Readers share a read-write lock; a writer has it alone. While a writer waits, new readers are held back: otherwise readers that keep
-- coming would keep it out for ever.
-- Look for: reader1 and reader2 in at the same time; reader3, who comes at 1 while only readers are in, gets the lock at 3, after the
-- writer.
local lock = rl.readWriteLock{ name = "document" }

local function reader(name, arrival, expected)
  local thread = rl.thread(name, function()
    rl.sleepUntil(arrival)
    lock:readLock()
    rl.expect(rl.now() == expected, name .. " gets in at " .. expected)
    rl.work(1.5)
    lock:unlock()
  end)
  thread:start()
  return thread
end

local threads = { reader("reader1", 0, 0), reader("reader2", 0.5, 0.5), reader("reader3", 1, 3) }
local writer = rl.thread("writer", function()
  rl.sleepUntil(0.75)
  lock:writeLock()
  rl.expect(rl.now() == 2, "the writer gets in when the last reader leaves, at 2")
  rl.work(1)
  lock:unlock()
end)
writer:start()
rl.sleepUntil(0.25)
rl.expect(not lock:tryWriteLock(), "no writing while somebody reads")
writer:join()
for _, thread in ipairs(threads) do thread:join() end
