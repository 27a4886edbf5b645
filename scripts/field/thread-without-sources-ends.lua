-- Reported: a worker thread is gone before it gets work.
-- Right: to run an empty loop returns at once and the thread ends at 0; a source that is added, signalled and woken at 1 is never performed.
-- With a keep-alive port first, it is performed at 1. (The perform then empties the loop, so that the second worker ends too.)
-- Look for: the first worker's `thread.exit` at 0.
-- Source: https://github.com/google/google-toolbox-for-mac/pull/181, https://github.com/gnustep/libs-base (Tests/base/NSRunLoop/thread.m)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop
local function startWorker(name, keepAlive)
  local worker = rl.thread(name, function()
    loop = rl.currentLoop()
    if keepAlive then loop:addPort(keepAlive) end
    loop:runForever()
    note("end")
  end)
  worker:start()
  return worker
end

local function give(source)
  loop:addSource(source)
  source:signal()
  loop:wakeUp()
end

local worker = startWorker("empty")
rl.sleepUntil(1)
give(rl.source{ name = "S", perform = function() note("S") end })
worker:join()
rl.sleepUntil(2)
rl.expect(table.concat(log, " ") == "end@0", "the thread is gone when the source comes")

log = {}
local port = rl.port{ name = "keepAlivePort" }
worker = startWorker("keptAlive", port)
rl.sleepUntil(3)
give(rl.source{ name = "S", perform = function(source)
  note("S")
  source:invalidate()
  port:invalidate()
end })
worker:join()
rl.expect(table.concat(log, " ") == "S@3 end@3", "with a port it is still there, one second later")
