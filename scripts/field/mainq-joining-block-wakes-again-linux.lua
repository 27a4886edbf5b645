--! rlsim: --semantics linux
-- Asked: as in mainq-wake-spent-by-nested-run, but the observer queues a block of its own before it opens the modal run. Is the modal run
-- served now?
-- Right (Linux): yes. Each block makes the queue's port ready anew, also one that joins others; the modal run takes both blocks at 1, and
-- the outer run finds nothing left to serve. (On Apple's platforms a block of no higher class of service relies on the wake-up of those
-- it joins: compare with apple.)
-- Look for: two `wake=mainQueue` at 1, and two `queue main` in the nested run.
-- Source: libdispatch, _dispatch_main_queue_push; found by comparing with the library (docs/fidelity.md)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:addObserver(rl.observer{ name = "modal", activities = { "afterWaiting" }, repeats = false, handler = function()
  rl.mainQueue:async(function() note("second block") end)
  note("nested " .. loop:runInMode("default", 1, true))
end })
rl.thread("worker", function()
  rl.sleepUntil(1)
  rl.mainQueue:async(function() note("first block") end)
end):start()
loop:runInMode("default", 3)
rl.expect(table.concat(log, ", ") == "first block@1, second block@1, nested handledSource@1", "the nested run serves both blocks")
