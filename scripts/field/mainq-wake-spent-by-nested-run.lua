-- Asked: an afterWaiting observer opens a modal run (a debugger's pause, an alert). Why does it not get the main-queue block that has just
-- woken the loop?
-- Right: the wake has taken the readiness of the queue's port with it. The nested run sleeps for its whole second; the outer run, which
-- was woken for the queue, serves it at 2.
-- Look for: `wake=mainQueue` at 1 and no `queue main` before 2.
-- Source: CFRunLoop.c, __CFRunLoopRun: the wait reads the port, the queue is served after the afterWaiting observers
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:addObserver(rl.observer{ name = "modal", activities = { "afterWaiting" }, repeats = false, handler = function()
  note("nested " .. loop:runInMode("default", 1, true))
end })
rl.thread("worker", function()
  rl.sleepUntil(1)
  rl.mainQueue:async(function() note("block") end)
end):start()
loop:runInMode("default", 3)
rl.expect(table.concat(log, ", ") == "nested timedOut@2, block@2", "the run that was woken serves the block")
