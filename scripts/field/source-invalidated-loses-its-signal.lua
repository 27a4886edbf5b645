-- Asked: is a source still signalled after it was invalidated, and is it still a common item while its cancel callback runs?
-- Right: invalidating takes the signal away first, before any cancel callback, so nobody performs the source any more. It then leaves its
-- modes, each with a cancel callback, and the common items last: within the callbacks it is one of them still, and of no use.
-- Look for: the log of the cancel callback; no `source S`.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (CFRunLoopSourceInvalidate,
-- __CFRunLoopSourceRemoveFromRunLoop)
local loop = rl.mainLoop
local performed, inside = false, {}
local source
source = rl.source{
  name = "S", perform = function() performed = true end,
  cancel = function()
    inside = { signalled = source:isSignalled(), common = loop:containsSource(source, "common"), valid = source:isValid() }
    rl.log("signalled", inside.signalled, "common item", inside.common, "valid", inside.valid)
  end,
}
loop:addSource(source, "common")
source:signal()
rl.expect(source:isSignalled(), "signalled at first")
source:invalidate()
rl.expect(inside.signalled == false and inside.valid == false, "the signal is gone before the callback")
rl.expect(inside.common == true, "the common items are left last")
rl.expect(not source:isSignalled() and not loop:containsSource(source, "common"), "and then nothing is left of it")
source:signal()
rl.expect(not source:isSignalled(), "an invalid source cannot be signalled")
loop:addPort(rl.port{ name = "keepAlive" })
loop:runInMode("default", 0.1)
rl.expect(not performed, "it is never performed")
