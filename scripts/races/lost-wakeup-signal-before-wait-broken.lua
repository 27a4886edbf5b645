-- A condition's signal wakes who waits at that moment; it is not kept for one who comes later.
-- Fault: if the worker signals before the main thread waits, nobody hears it, and the main thread waits for ever. `rlsim explore` finds:
-- stuck. Under the default schedule the main thread waits first: all is well.
-- Look for, in the trace that explore finds: `condition.signal done` before `condition.wait done`.
local done = rl.condition{ name = "done" }
local isDone = rl.shared{ name = "isDone", value = false }
local worker = rl.thread("worker", function()
  done:lock()
  isDone:set(true)
  done:signal()
  done:unlock()
end)
worker:start()
done:lock()
done:wait()
rl.expect(isDone:get(), "who is woken finds it done")
done:unlock()
worker:join()
