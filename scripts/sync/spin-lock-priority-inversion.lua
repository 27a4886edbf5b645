-- A spin lock between threads of different priorities, on one processor. The thread that spins has the higher priority, so the processor is
-- always its own; the holder, whose turn would free the lock, never gets it. (On iOS this is why OSSpinLock was given up for os_unfair_lock,
-- which lends the waiter's priority to the holder.)
-- Look for: `lock.wait table holder=low` at 0.05, when the high thread has just taken the processor; then nothing any more. The fault says
-- what it hangs on: `holderWaits=core`.
rl.machine{ cores = 1, quantum = 0.01 }
local lock = rl.spinLock{ name = "table" }

local low = rl.thread{ name = "low", priority = 0.2, entry = function()
  lock:lock()
  rl.work(0.1)
  lock:unlock()
end }
local high = rl.thread{ name = "high", priority = 0.8, joinable = true, entry = function()
  rl.sleepUntil(0.05)
  lock:lock()
  rl.expect(false, "the holder has had a turn")
  lock:unlock()
end }
low:start()
high:start()
high:join()
--! compare: no, it simulates a machine with one processor
