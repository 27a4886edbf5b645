-- Two locks, taken in opposite order by two threads.
-- Fault: if each has its first lock, each waits for the other's, for ever. `rlsim explore` finds: deadlock, and lockOrder, which tells of
-- the danger even in runs that go well. Under the default schedule the main thread is through before the worker begins.
-- Look for, in the trace that explore finds: both `lock.wait` lines with the other thread as `holder`.
local accounts = rl.mutex{ name = "accounts" }
local journal = rl.mutex{ name = "journal" }
local worker = rl.thread("worker", function()
  accounts:lock()
  journal:lock()
  journal:unlock()
  accounts:unlock()
end)
worker:start()
journal:lock()
accounts:lock()
accounts:unlock()
journal:unlock()
worker:join()
