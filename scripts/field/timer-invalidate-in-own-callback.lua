-- Reported (as a test of the library): a timer that invalidates itself must not fire again, and the loop must notice that it is empty.
-- Right: fires at 1 and 2; it is valid when the second callback begins and invalid right after `invalidate`, still inside it;
-- the run is finished at 2.
-- Look for: two fires, then `run.exit result=finished`.
-- Source: https://github.com/swiftlang/swift-corelibs-foundation (Tests/Foundation/TestTimer.swift, test_timerInvalidate)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end
local function at(t) return math.abs(rl.now() - t) < 1e-9 end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addTimer(rl.timer{ name = "tick", fireAt = 1, interval = 1, fire = function(timer)
    note("tick")
    if #log == 2 then
      rl.expect(timer:isValid(), "valid when the callback begins")
      timer:invalidate()
      rl.expect(not timer:isValid(), "invalid at once")
    end
  end })

  local result = loop:runInMode("default", 5)
  rl.expect(table.concat(log, " ") == "tick@1 tick@2", "no fire after the invalidation")
  rl.expect(result == "finished" and at(2), "the loop notices that it is empty")
end)
worker:start()
worker:join()
