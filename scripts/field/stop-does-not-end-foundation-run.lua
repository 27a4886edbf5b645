-- Reported: the methods run and runUntilDate: of NSRunLoop ignore CFRunLoopStop.
-- Right: a stop ends one inner run, and the method starts the next one until its date has passed: back at 4. What works: a loop
-- around `runMode` with a flag of one's own, set before the stop.
-- Look for: the pairs of `run.enter` and `run.exit result=stopped`.
-- Source: https://acefish.github.io/15547780131307.html, https://github.com/swiftlang/swift-corelibs-xctest/pull/304
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local source = rl.source{ name = "S", perform = function() note("S") end }
local worker = rl.thread("runUntil", function()
  rl.currentLoop():addSource(source)
  rl.currentLoop():runUntil(4)
  note("end")
end)
worker:start()
for t = 1, 2 do
  rl.sleepUntil(t)
  source:signal()
  worker:loop():stop()
end
worker:join()
rl.expect(table.concat(log, " ") == "S@1 S@2 end@4", "two stops do not end runUntil")

local quit, ended = false, nil
local mended = rl.thread("ownFlag", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  while not quit do loop:runMode("default", rl.distantFuture) end
  ended = rl.now()
end)
mended:start()
rl.sleepUntil(5)
quit = true
mended:loop():stop()
mended:join()
rl.expect(ended == 5, "a flag and a stop do")
