--! rlsim: --explore
--! compare: no, when the request comes is what it is about
-- A worker gives the main thread a task, while that begins to run its loop. When the request comes is chance: before the run, between two
-- looks of a pass, or while the loop sleeps. The golden file holds each of these orders (see every-order-of-a-lock.lua).
-- Look for: `perform task` once in every order, and `run.exit ... result=handledSource` after it.
local done = rl.atomic{ name = "done", value = 0 }
local worker = rl.thread("worker", function() rl.performOnMainThread(function() done:add(1) end, { name = "task" }) end)
worker:start()
local result = rl.mainLoop:runInMode("default", 10, true)
worker:join()
rl.expect(result == "handledSource", "the run ends with the task")
rl.expect(done:load() == 1, "the task is done once")
