-- Two things to set up for a thread: the size of its stack, before it starts, and its dictionary, a place for what belongs to this thread
-- and has to last as long as it.
-- Look for: each worker logs what it found in its own dictionary.
local function entry(thread)
  thread.dictionary.requests = 0
  for _ = 1, thread.name == "busy" and 3 or 1 do
    rl.sleep(1)
    rl.currentThread().dictionary.requests = rl.currentThread().dictionary.requests + 1
  end
  rl.log("requests:", thread.dictionary.requests)
end

local busy, quiet = rl.thread("busy", entry), rl.thread("quiet", entry)

rl.expect(not pcall(function() busy:setStackSize(1000) end), "a stack size is a multiple of 4096")
busy:setStackSize(1024 * 1024)
busy:start()
quiet:start()
rl.expect(busy:stackSize() == 1024 * 1024, "it is kept")
rl.expect(quiet:stackSize() ~= busy:stackSize(), "and is this thread's only")
rl.expect(not pcall(function() busy:setStackSize(2 * 1024 * 1024) end), "a thread that has started keeps its stack")

busy:join()
quiet:join()
rl.expect(busy.dictionary.requests == 3 and quiet.dictionary.requests == 1, "each thread counts in its own dictionary")
rl.expect(rl.mainThread.dictionary.requests == nil, "the main thread's is empty")
