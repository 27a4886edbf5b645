-- A client asks whether the source is still valid and then signals it, while the main thread performs what has come and invalidates it.
-- Fault: what was valid a moment ago may be invalid now. Then the client believes its work accepted, and nobody does it. `rlsim explore`
-- finds: expectation. Under the default schedule the client is through before the last pass: all is well.
-- Look for, in the trace that explore finds: `source.cancel work` with no `source work` before it.
local accepted = rl.shared{ name = "accepted", value = false }
local performed = rl.shared{ name = "performed", value = false }
local work = rl.source{ name = "work", perform = function() performed:set(true) end }
rl.mainLoop:addSource(work)
local client = rl.thread("client", function()
  if work:isValid() then
    work:signal()
    accepted:set(true)
  end
end)
client:start()
rl.yield()
rl.mainLoop:runInMode("default", 0)
work:invalidate()
client:join()
rl.expect(performed:get() == accepted:get(), "what was accepted is performed")
--! compare: no, whether the client has begun when main goes on is a race
