-- The mended double-start: looking at the flag and setting it is one step (`exchange` gives the value before), so only one of the two sees
-- 0. `rlsim explore` finds nothing.
-- Look for: one thread that gets 0, and one that gets 1 (`--show thread,access`).
local started = rl.atomic{ name = "started", value = 0 }
local service = rl.thread("service", function() end)
local function startOnce()
  if started:exchange(1) == 0 then
    rl.expect(pcall(function() service:start() end), "the service is started once")
  end
end
local other = rl.thread("other", startOnce)
other:start()
startOnce()
other:join()
service:join()
