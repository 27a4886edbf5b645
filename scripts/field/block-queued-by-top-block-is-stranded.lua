-- Reported: a chain of blocks, each of which queues the next, stops after the first link.
-- Right: blocks that are queued while blocks are run wait for the next chance. A runs at the top of the pass and queues B; the loop
-- then goes to sleep, and B runs at 2, when the deadline wakes it. Started from a timer callback instead, A runs at the end of the pass
-- and B at the top of the next: both at once, and the third link, C, is the stranded one.
-- Look for: the sleep between `block` and `block`.
-- Source: https://github.com/microsoft/arcana.cpp/pull/24
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local function chain(names)
  if #names == 0 then return end
  loop:performBlock(function()
    note(names:sub(1, 1))
    chain(names:sub(2))
  end)
end
loop:addSource(rl.source{ name = "keepAlive" })

chain("AB")
note(loop:runInMode("default", 2))
rl.expect(table.concat(log, " ") == "A@0 B@2 timedOut@2", "B sleeps until the deadline")

log = {}
loop:scheduleTimer{ name = "starter", fireAt = 3, fire = function() chain("ABC") end }
note(loop:runInMode("default", 2))
rl.expect(table.concat(log, " ") == "A@3 B@3 C@4 timedOut@4", "from a timer, C does")
