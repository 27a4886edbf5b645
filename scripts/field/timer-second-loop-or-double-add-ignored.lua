-- Reported (as a test of the library): adding a timer to a second loop does nothing, silently; adding it twice does not make it fire twice.
-- Right: the second loop does not contain it, and a run there is finished at once; the first loop fires it exactly once, at 1.
-- Look for: `run.exit result=finished` of loop2 at 0, and one `timer` on loop1.
-- Source: https://github.com/swiftlang/swift-corelibs-foundation (Tests/Foundation/TestTimer.swift)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end
local function at(t) return math.abs(rl.now() - t) < 1e-9 end

local timer = rl.timer{ name = "shared", fireAt = 1, fire = function() note("fire on " .. rl.currentThread().name) end }

local second = rl.thread("loop2", function()
  local loop = rl.currentLoop()
  loop:addTimer(timer)
  rl.expect(not loop:containsTimer(timer), "the second loop does not get it")
  rl.expect(loop:runInMode("default", 3) == "finished" and at(0), "and has nothing to run")
end)

local first = rl.thread("loop1", function()
  local loop = rl.currentLoop()
  loop:addTimer(timer)
  second:start()
  second:join()
  loop:addTimer(timer)
  loop:runInMode("default", 3)
end)
first:start()
first:join()
rl.expect(table.concat(log, " ") == "fire on loop1@1", "exactly one fire, in the first loop")
