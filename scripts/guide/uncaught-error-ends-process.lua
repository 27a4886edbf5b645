-- Each thread has to catch its own exceptions. One that nobody catches ends the whole process, all other threads with it, whatever they
-- are doing; a handler on another thread does not help.
-- Look for: the trace ends at 1, and nobody logs "done". After it stands the error, with the worker's stack.
-- Exit code 3, end reason=fault detail=error.
local ok = pcall(function()
  rl.thread("careful", function()
    rl.expect(not pcall(error, "disk full"), "caught on the thread where it was raised: nothing happens")
  end):start()

  rl.thread("careless", function()
    rl.sleep(1)
    error("disk full")
  end):start()

  rl.thread("innocent", function()
    rl.sleep(2)
    rl.log("done")
  end):start()
end)
rl.expect(ok, "the threads are started; this pcall has nothing to do with what happens on them")

rl.sleepUntil(3)
rl.log("done")
