-- Reported (as the fix of the starved main queue): open the nested loop from a timer, a source or a perform instead.
-- Right: from there a nested run does serve the main queue: the block runs at 1 and the nested run returns handledSource.
-- Look for: `queue main` inside the nested run.
-- Source: https://github.com/wailsapp/wails/pull/6026, https://github.com/calabash/calabash-ios-server/pull/393
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:scheduleTimer{ name = "modal", fireAt = 1, fire = function()
  rl.mainQueue:async(function() note("block") end)
  note("nested " .. loop:runInMode("default", 1, true))
end }
loop:runInMode("default", 2)
rl.expect(table.concat(log, ", ") == "block@1, nested handledSource@1", "the nested run serves the main queue")
