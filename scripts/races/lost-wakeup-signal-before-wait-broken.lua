-- A condition's signal wakes who waits at that moment; it is not kept for one who comes later.
-- Fault: if the worker signals before the main thread waits, nobody hears it, and the main thread waits for ever. `rlsim explore` finds:
-- stuck. Under the default schedule the main thread waits first: all is well.
-- Look for, in the trace that explore finds: `condition.signal done` before `condition.wait done`.
local done = rl.condition{ name = "done" }
local worker = rl.thread("worker", function()
  done:lock()
  done:signal()
  done:unlock()
end)
worker:start()
done:lock()
done:wait()
done:unlock()
worker:join()
