-- Listing 2-1 of the guide, creating a thread (there with pthread_create and PTHREAD_CREATE_DETACHED): `rl.detach` makes the thread, starts
-- it and hands the data to its entry function. Nobody has to join it, and nobody can.
-- Look for: `thread.start` and `thread.exit` of the worker, and that the main thread does not wait for it.
local result

local function workerMain(thread, data)
  rl.expect(thread == rl.currentThread() and not thread:isMain(), "it runs on a thread of its own")
  rl.work(0.5)
  result = data:upper()
end

local worker = rl.detach("worker", workerMain, "some data")
rl.expect(rl.now() == 0 and result == nil, "detach returns before the work is done")
rl.expect(not pcall(function() worker:join() end), "a detached thread cannot be joined")

rl.sleepUntil(1)
rl.expect(result == "SOME DATA", "the entry function got the data")
rl.expect(worker:isFinished(), "the thread ended with it")
--! compare: no, it only starts and ends threads
