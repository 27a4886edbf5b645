-- Reported: main-queue blocks wait while a private mode runs.
-- Right: the main queue is served in common modes only. The first run of Z times out at 1; after Z was made common, the block runs in
-- the next run at once.
-- Look for: `queue main` at 1, not at 0.
-- Source: https://github.com/chromium/chromium (message_pump_apple.mm)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:addSource(rl.source{ name = "keepAlive" }, "Z")
rl.mainQueue:async(function() note("block") end)
note(loop:runInMode("Z", 1, true))
loop:addCommonMode("Z")
note(loop:runInMode("Z", 1, true))
rl.expect(table.concat(log, " ") == "timedOut@1 block@1 handledSource@1", "only common modes serve the main queue")
