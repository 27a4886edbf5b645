-- The mended use-after-invalidate: "is it open" and "signal" are one step under a lock, and so is closing. After closing, nobody can signal
-- any more; a last pass performs what was accepted before; only then the source is invalidated. `rlsim explore` finds nothing.
-- Look for: the client's `unlock gate` on one side of the main thread's `lock gate`, never between it and `source.cancel work`.
local gate = rl.mutex{ name = "gate" }
local isOpen = rl.shared{ name = "isOpen", value = true }
local accepted = rl.shared{ name = "accepted", value = false }
local performed = rl.shared{ name = "performed", value = false }
local work = rl.source{ name = "work", perform = function() performed:set(true) end }
rl.mainLoop:addSource(work)
local client = rl.thread("client", function()
  gate:lock()
  if isOpen:get() then
    work:signal()
    accepted:set(true)
  end
  gate:unlock()
end)
client:start()
rl.yield()
gate:lock()
isOpen:set(false)
gate:unlock()
rl.mainLoop:runInMode("default", 0)
work:invalidate()
client:join()
rl.expect(performed:get() == accepted:get(), "what was accepted is performed")
--! compare: no, whether the client has begun when main goes on is a race
