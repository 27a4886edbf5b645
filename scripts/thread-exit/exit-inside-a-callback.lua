-- Asked: what becomes of a timer and an observer whose callback ends its thread by pthread_exit, or +[NSThread exit]?
-- Right: the callback never returns, and the run loop never hears of its end. A one-shot timer stays valid, and so does an observer that
-- does not repeat; both count as being called for ever. Another loop takes them, and never calls them again.
-- Look for: no `timer once` and no `observer o` on the main thread.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (__CFRunLoopDoTimer, __CFRunLoopDoObservers)
local once = rl.timer{ name = "once", fireAt = 0.1, fire = function() rl.exitThread() end }
local seen = 0
local o = rl.observer{
  name = "o", activities = "beforeTimers", repeats = false,
  handler = function()
    seen = seen + 1
    rl.exitThread()
  end,
}
local function runAndEnd(name, prepare)
  local thread = rl.thread(name, function()
    local loop = rl.currentLoop()
    loop:addSource(rl.source{ name = name .. "KeepAlive" })
    prepare(loop)
    loop:runInMode("default")
    rl.log("not reached")
  end)
  thread:start()
  thread:join()
end
runAndEnd("byTimer", function(loop) loop:addTimer(once) end)
runAndEnd("byObserver", function(loop) loop:addObserver(o) end)
rl.expect(once:isValid() and o:isValid(), "nobody has invalidated them")
rl.mainLoop:addTimer(once)
rl.mainLoop:addObserver(o)
rl.expect(rl.mainLoop:containsTimer(once) and rl.mainLoop:containsObserver(o), "another loop takes them")
rl.mainLoop:runInMode("default", 0.2)
rl.expect(once:fireCount() == 1 and seen == 1, "and does not call them")
