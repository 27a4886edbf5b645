-- The mended double-start: looking at the flag and setting it is one step (`compareExchange` sets it if it is 0, and says whether it did),
-- so only one of the two can be the first. `rlsim explore` finds nothing.
-- Look for: `op=compareExchange` on both threads, with `failed=true` on the second, and one `service thread.start`.
rl.trace{ show = { "thread", "access" } }
local started = rl.atomic{ name = "started", value = 0 }
local service = rl.thread("service", function() end)
local function startOnce()
  if started:compareExchange(0, 1) then
    rl.expect(pcall(function() service:start() end), "the service is started once")
  end
end
local other = rl.thread("other", startOnce)
other:start()
startOnce()
other:join()
service:join()
