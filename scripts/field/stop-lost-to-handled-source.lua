-- Reported: confusing results around stop: a run that returns after a source says handledSource although it was stopped, and the stop
-- is gone.
-- Right: "a source was handled" is tested before "stopped", and the flag dies with the run; the next run times out. If the run does not
-- return after sources, it is stopped. A block that stops gives `stopped` either way, since blocks are not sources.
-- Look for: `loop.stop main` followed by `result=handledSource`.
-- Source: https://github.com/vibe-d/eventcore/pull/193
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local source = rl.source{ name = "S", perform = function() loop:stop() end }
loop:addSource(source)

source:signal()
note(loop:runInMode("default", 2, true))
note(loop:runInMode("default", 1, true))
rl.expect(table.concat(log, " ") == "handledSource@0 timedOut@1", "the stop is masked, then gone")

source:signal()
rl.expect(loop:runInMode("default", 2, false) == "stopped" and rl.now() == 1, "stopped when the run does not return after sources")

loop:performBlock(function() loop:stop() end)
rl.expect(loop:runInMode("default", 2, true) == "stopped" and rl.now() == 1, "a block is not a source")
