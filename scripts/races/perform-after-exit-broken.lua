-- A worker looks once at its loop and ends; the main thread gives it a task by a perform.
-- Fault: if the worker has looked already, the task is dropped without a word. `rlsim explore` finds: expectation. Under the default
-- schedule the task is there when the worker looks: all is well.
-- Look for, in the trace that explore finds: `perform.drop task`.
local performed = rl.shared{ name = "performed", value = false }
local worker = rl.thread("worker", function()
  rl.currentLoop():runInMode("default", 0)
end)
worker:start()
worker:perform(function() performed:set(true) end, { name = "task" })
worker:join()
rl.expect(performed:get(), "the task is performed")
