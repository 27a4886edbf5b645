-- The mended lost-wakeup-signal-before-wait: what is waited for is a fact that both look at under the lock; the signal only says "look
-- again". If the fact is there before, nobody waits. `rlsim explore` finds nothing.
-- Look for: with the worker first, no `condition.wait` at all.
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
while not isDone:get() do done:wait() end
rl.expect(isDone:get(), "who goes on finds it done")
done:unlock()
worker:join()
