-- Reported: a perform with wait, used as a "barrier", runs BEFORE the performs that were queued earlier.
-- Right: on the current thread a perform with wait is an ordinary call: B inside it, A in the next pass. Called from another thread,
-- A comes first and then B, as one would think.
-- Look for: `perform B` before the run.
-- Source: https://github.com/pjsip/pjproject/issues/4928, https://github.com/robovm/apple-ios-samples/issues/10,
-- https://developer.apple.com/documentation/objectivec/nsobject/1414476-performselector
local log = {}
local function note(what) log[#log + 1] = what end

local function performBoth()
  rl.mainThread:perform(note, { name = "A", argument = "A" })
  rl.mainThread:perform(note, { name = "B", argument = "B", wait = true })
  note("returned")
end

performBoth()
rl.expect(table.concat(log, " ") == "B returned", "B is called at once")
rl.mainLoop:runInMode("default", 0.5)
rl.expect(table.concat(log, " ") == "B returned A", "A waits for the loop")

log = {}
local worker = rl.thread("worker", performBoth)
worker:start()
rl.mainLoop:runInMode("default", 0.5)
worker:join()
rl.expect(table.concat(log, " ") == "A B returned", "from another thread: first in, first out")
