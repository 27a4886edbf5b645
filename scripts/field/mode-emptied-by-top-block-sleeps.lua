-- Reported: a loop with nothing left in it sleeps until its deadline.
-- Right: a queued block makes its mode non-empty, so the run begins; the block runs at the top of the first pass; emptiness is tested at
-- the end of a pass only. So the loop sleeps in an EMPTY mode until its deadline (without one: for ever). The next run is finished at
-- once. The same with Foundation's `runMode`: true, then false.
-- Look for: the sleep after `block`.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (blocks are run before the wait)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:performBlock(function() note("block") end)
  note(loop:runInMode("default", 1))
  note(loop:runInMode("default", 1))
  rl.expect(table.concat(log, " ") == "block@0 timedOut@1 finished@1", "asleep in an empty mode until 1")

  log = {}
  loop:performBlock(function() note("block") end)
  note(tostring(loop:runMode("default", 2)))
  note(tostring(loop:runMode("default", 3)))
  rl.expect(table.concat(log, " ") == "block@1 true@2 false@2", "runMode does the same")
end)
worker:start()
worker:join()
