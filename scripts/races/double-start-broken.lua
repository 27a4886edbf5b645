-- Two threads need a service and start it if nobody has: look at the flag, set it, start.
-- Fault: both may look before either sets it; then the service is started twice, which is an error. An atomic flag does not help: looking
-- and setting are still two steps. `rlsim explore` finds: expectation. Under the default schedule one thread is through before the other
-- begins.
-- Look for: one thread's load of 0 and store of 1, then the other's load of 1; in the trace that explore finds, two loads of 0, and
-- `expect.fail`.
rl.trace{ show = { "thread", "access" } }
local started = rl.atomic{ name = "started", value = 0 }
local service = rl.thread("service", function() end)
local function startOnce()
  if started:load() == 0 then
    started:store(1)
    rl.expect(pcall(function() service:start() end), "the service is started once")
  end
end
local other = rl.thread("other", startOnce)
other:start()
startOnce()
other:join()
service:join()
