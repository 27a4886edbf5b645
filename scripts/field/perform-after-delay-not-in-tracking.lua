-- Reported: a delayed perform waits for the scrolling to end.
-- Right: it is a timer of the default mode, so with the loop in tracking mode from 0 to 3 it comes at 3. One that is made for the
-- common modes, tracking being one of them, comes at 1.
-- Look for: `perform everywhere` at 1, `perform defaultOnly` at 3.
-- Source: https://github.com/domhofmann/PRTween/pull/31
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:addSource(rl.source{ name = "keepAlive" }, "tracking")
loop:addCommonMode("tracking")
rl.performAfterDelay(1, note, { name = "defaultOnly", argument = "defaultOnly" })
rl.performAfterDelay(1, note, { name = "everywhere", argument = "everywhere", modes = { "common" } })
loop:runInMode("tracking", 3)
loop:runInMode("default", 1)
rl.expect(table.concat(log, " ") == "everywhere@1 defaultOnly@3", "the default mode has to wait")
