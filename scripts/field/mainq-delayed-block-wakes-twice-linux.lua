--! rlsim: --semantics linux
-- Reported (Linux): after a delayed block of the main queue, the next `runMode` returns at once, though nothing has happened.
-- Right (Linux): the timer behind the delayed block uses the main queue once more when it is done, and makes its port ready. That pass
-- runs no block, but a served queue counts as a handled source: the run that was to last from 1 to 3 ends at 1. So loop on a condition of
-- your own, not on the count of returns.
-- Look for: the second `wake=mainQueue` at 1, without a `queue main` after it, and `result=handledSource`.
-- Source: found by comparing with the library (docs/fidelity.md)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
rl.mainQueue:after(1, function() note("block") end)
note(loop:runInMode("default", 2, true))
note(loop:runInMode("default", 2, true))
note(loop:runInMode("default", 2, true))
rl.expect(table.concat(log, " ") == "block@1 handledSource@1 handledSource@1 timedOut@3", "one wake more than blocks")
