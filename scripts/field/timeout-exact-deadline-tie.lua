-- Reported: with a coarse or faked clock the deadline's wake-up arrives, the loop decides "not yet", sleeps again, and nothing will wake
-- it any more.
-- Right: the test is a strict "deadline < now". On a real machine "now" is always a little later than the date that has come due, and so
-- it is here: one wake at 1, timedOut, no second sleep.
-- Look for: one `beforeWaiting`, and `result=timedOut` at 1.000000000.
-- Source: https://github.com/swiftlang/swift-corelibs-foundation/pull/5485, https://github.com/darlinghq/darling/issues/688,
-- https://github.com/swiftlang/swift-build/pull/974
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:addObserver(rl.observer{ name = "sleep", activities = { "beforeWaiting", "afterWaiting" }, handler = note })
  note(loop:runInMode("default", 1))
end)
worker:start()
worker:join()
rl.expect(table.concat(log, " ") == "beforeWaiting@0 afterWaiting@1 timedOut@1", "the deadline is noticed at the first wake")
