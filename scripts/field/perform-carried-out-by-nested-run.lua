-- Asked: a source opens a nested run, and that run carries out the requests that were pending beside the source. Does the outer pass,
-- which had collected them, still count as one that has handled a source?
-- Right: no. A pass is handled if the last of what it collected was still there to be performed. The requests come after the source
-- (order -1), and are gone when their turn comes: the pass goes on to sleep instead of starting over.
-- Look for: `perform request` in the nested run, and right after its `run.exit` the outer `beforeWaiting`, without a `beforeTimers` before.
-- Source: CFRunLoop.c, __CFRunLoopDoSources0
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local opener = rl.source{ name = "opener", order = -1, perform = function() note("nested " .. loop:runInMode("default", 0)) end }
loop:addSource(opener)
local passes = 0
loop:addObserver(rl.observer{ name = "passes", activities = { "beforeTimers" }, handler = function() passes = passes + 1 end })
rl.mainThread:perform(function() note("request") end, { name = "request", modes = { "default" } })
opener:signal()
loop:runInMode("default", 1)
rl.expect(table.concat(log, ", ") == "request@0, nested timedOut@0", "the nested run carries the request out")
rl.expect(passes == 2, "one pass of each run: the outer one sleeps in its first")
