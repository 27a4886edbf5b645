-- Two locks, taken in opposite order by two threads.
-- Fault: if each has its first lock, each waits for the other's, for ever. `rlsim explore` finds: deadlock. Under the default schedule the
-- main thread is through before the worker begins. (That run alone, `--schedules 1`, is enough for the finding lockOrder, which tells of
-- the danger where no run has come to the deadlock.)
-- Look for, in the trace that explore finds: both `lock.wait` lines with the other thread as `holder`.
local accounts = rl.mutex{ name = "accounts" }
local journal = rl.mutex{ name = "journal" }
local entries = rl.shared{ name = "entries", value = 0 }
local function enter() entries:set(entries:get() + 1) end
local worker = rl.thread("worker", function()
  accounts:lock()
  journal:lock()
  enter()
  journal:unlock()
  accounts:unlock()
end)
worker:start()
journal:lock()
accounts:lock()
enter()
accounts:unlock()
journal:unlock()
worker:join()
rl.expect(entries:get() == 2, "both have made their entry")
