-- The mended lock-order-inversion: everybody takes the locks in the same order, so who has the first one finds the second one free, or soon
-- to be. `rlsim explore` finds nothing.
-- Look for: `lock accounts` before `lock journal` on both threads.
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
accounts:lock()
journal:lock()
enter()
journal:unlock()
accounts:unlock()
worker:join()
rl.expect(entries:get() == 2, "both have made their entry")
