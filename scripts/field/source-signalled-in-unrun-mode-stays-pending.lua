-- Reported: work that is posted while a private mode runs is delayed until a mode that holds the source runs.
-- Right: only the sources of the mode that is run are looked at. The private run times out at 1; the source stays signalled and is
-- performed by the default run.
-- Look for: `source.signal S` at 0, `source S` at 1.
-- Source: https://github.com/chromium/chromium (message_pump_apple_unittest.mm)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local source = rl.source{ name = "S", perform = function() note("S") end }
loop:addSource(source, "default")
loop:addSource(rl.source{ name = "keepAlive" }, "private")
source:signal()
loop:wakeUp()
note(loop:runInMode("private", 1, true))
note(loop:runInMode("default", 1, true))
rl.expect(table.concat(log, " ") == "timedOut@1 S@1 handledSource@1", "the source waits for a mode that holds it")
