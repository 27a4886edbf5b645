-- Reported: work that is queued as a block on another thread's loop runs only when something else happens there.
-- Right: queueing a block does not wake. Queued at 1, it runs at 2, when somebody wakes the loop.
-- Look for: the worker's silence at 1.
-- Source: https://github.com/microsoft/arcana.cpp/pull/24, https://github.com/Yubico/libfido2/issues/650,
-- https://developer.apple.com/documentation/corefoundation/1542985-cfrunloopperformblock
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local worker = rl.thread("worker", function()
  rl.currentLoop():addSource(rl.source{ name = "keepAlive" })
  rl.currentLoop():runInMode("default", 3)
end)
worker:start()
rl.sleepUntil(1)
worker:loop():performBlock(function() note("block") end)
rl.sleepUntil(2)
worker:loop():wakeUp()
worker:join()
rl.expect(table.concat(log, " ") == "block@2", "the block waits for the wake-up")
