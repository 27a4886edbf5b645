-- Listing 2-3: a long job in chunks. After each chunk the thread lets its loop look at the sources, without waiting (run until now); a
-- custom source sets a flag in the thread dictionary, and the flag ends the job.
-- Look for: the source is signalled at 1, in the middle of the fourth chunk, and performed when that chunk is done.
local exitSource
local chunks = 0

local worker = rl.thread("worker", function(thread)
  local moreWorkToDo, exitNow = true, false
  local loop = rl.currentLoop()

  thread.dictionary.threadShouldExitNow = exitNow
  exitSource = rl.source{ name = "exit", perform = function()
    rl.currentThread().dictionary.threadShouldExitNow = true
  end }
  loop:addSource(exitSource)

  while moreWorkToDo and not exitNow do
    rl.work(0.3) -- one chunk of a larger body of work
    chunks = chunks + 1
    moreWorkToDo = chunks < 100

    loop:runUntil(rl.now()) -- look, do not wait
    exitNow = thread.dictionary.threadShouldExitNow
  end
end)
worker:start()

rl.sleepUntil(1)
exitSource:signal()
worker:loop():wakeUp()
worker:join()
rl.expect(chunks == 4 and rl.now() == 1.2, "the chunk under way is finished, then the thread exits")
rl.expect(rl.currentThread().dictionary.threadShouldExitNow == nil, "each thread has a dictionary of its own")
