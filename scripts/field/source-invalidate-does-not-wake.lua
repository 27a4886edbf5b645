-- Reported (as a proposal): another thread ends a loop's wait by invalidating its last source.
-- Right: the loop does not notice. Emptiness is tested at the end of a pass only, and invalidating wakes nobody: the loop sleeps on in
-- an empty mode. With a wake-up at 2 it is finished at 2; without one it times out at its deadline.
-- Look for: the time between `source.cancel` and `afterWaiting`.
-- Source: https://github.com/swiftlang/swift-corelibs-xctest/issues/384
local result, ended

local function startWorker(name, source)
  local worker = rl.thread(name, function()
    local loop = rl.currentLoop()
    loop:addSource(source)
    result = loop:runInMode("default", 6)
    ended = rl.now()
  end)
  worker:start()
  return worker
end

local source = rl.source{ name = "S" }
local worker = startWorker("woken", source)
rl.sleepUntil(1)
source:invalidate()
rl.sleepUntil(2)
rl.expect(worker:loop():isWaiting(), "still asleep after the invalidation")
worker:loop():wakeUp()
worker:join()
rl.expect(result == "finished" and ended == 2, "the wake-up makes it notice")

rl.sleepUntil(10)
source = rl.source{ name = "S" }
worker = startWorker("notWoken", source)
rl.sleepUntil(11)
source:invalidate()
worker:join()
rl.expect(result == "timedOut" and ended == 16, "without a wake-up it sleeps to its deadline")
