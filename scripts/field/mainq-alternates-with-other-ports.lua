-- Asked: in which order come main-queue blocks, run-loop blocks, sources and timers that are ready together, and is it fair?
-- Right: a: the early look at the main queue is off in a run's first pass: run-loop block, source, then the timer, whose port was ready
-- first, then the main queue in the second pass. b: a source that signals itself and blocks that post themselves again strictly
-- alternate.
-- Look for: a at 0, b at 1.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (the early look at the main queue)
local log = {}
local function note(what) log[#log + 1] = what end

local loop = rl.mainLoop
local watch = rl.observer{ name = "watch", activities = { "beforeTimers", "beforeSources", "beforeWaiting" }, handler = note }
loop:addObserver(watch)
local source = rl.source{ name = "S", perform = function() note("3") end }
loop:addSource(source)
rl.mainQueue:async(function() note("1") end)
loop:performBlock(function() note("2") end)
source:signal()
loop:addTimer(rl.timer{ name = "dueNow", fireAt = rl.now(), fire = function() note("4") end })
loop:runInMode("default", 0.5)
rl.expect(table.concat(log, " ") == "beforeTimers beforeSources 2 3 4 beforeTimers beforeSources 1 beforeTimers beforeSources beforeWaiting",
  "block, source, timer, main queue")
watch:invalidate()
source:invalidate()

rl.sleepUntil(1)
log = {}
local performs, posts = 0, 0
local again = rl.source{ name = "again", perform = function(source)
  note("S")
  performs = performs + 1
  if performs < 4 then source:signal() end
end }
local function post()
  rl.mainQueue:async(function()
    note("main")
    posts = posts + 1
    if posts < 3 then post() end
  end)
end
loop:addSource(again)
again:signal()
post()
loop:runInMode("default", 0.5)
rl.expect(table.concat(log, " ") == "S main S main S main S", "strict alternation")
