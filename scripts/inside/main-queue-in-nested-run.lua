-- The main queue is served by the main loop, also by a run inside a callback of it; but not inside one of its own blocks: the queue gives
-- out the next block only when the one before has returned.
-- Look for: `queue main` inside the nested run of the timer at 1; at 3 the nested run in the block ends without it.
local loop = rl.mainLoop
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end
loop:addSource(rl.source{ name = "keepAlive" })

local function runNested(from)
  rl.mainQueue:async(function() note("block from " .. from) end)
  loop:runInMode("default", 1)
  note("end of run in " .. from)
end
loop:scheduleTimer{ name = "timer", fireAt = 1, fire = function() runNested("timer") end }
rl.mainQueue:after(3, function() runNested("block") end)
loop:runInMode("default", 5)
rl.expect(table.concat(log, ", ")
  == "block from timer@1, end of run in timer@2, end of run in block@4, block from block@4", "served from a timer, not from a block")
