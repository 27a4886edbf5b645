-- Reported: does a source that signals itself spin inside one pass, and does it starve what observers do before sleeping?
-- Right: exactly one perform a pass, and after a handled source the loop only polls: no beforeWaiting and no afterWaiting until the
-- burst of four is over.
-- Look for: `beforeTimers`, `beforeSources`, `source S` four times over, then the first `beforeWaiting`.
-- Source: https://github.com/google/EarlGrey (Tests/UnitTests/Sources/GREYRunLoopSpinnerTest.m),
-- https://github.com/WebKit/WebKit (Tools/TestWebKitAPI/Tests/WTF/RunLoop.cpp)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local performs = 0
local source = rl.source{ name = "S", perform = function(source)
  note("S")
  performs = performs + 1
  if performs < 4 then source:signal() end
end }
loop:addSource(source)
loop:addObserver(rl.observer{ name = "watch", activities = "all", handler = note })
source:signal()
loop:runInMode("default", 1)
rl.expect(table.concat(log, " ") == "entry@0 " .. ("beforeTimers@0 beforeSources@0 S@0 "):rep(4)
  .. "beforeTimers@0 beforeSources@0 beforeWaiting@0 afterWaiting@1 exit@1", "one perform a pass, no sleep in between")
