--! rlsim: --semantics linux
-- Reported: "repeats: true, interval: 0" repeats on Apple platforms but fires once on Linux.
-- Right (swift-corelibs-foundation): the 0 is passed on to Core Foundation, for which it means "once". One fire at 1, after which
-- the timer is invalid. The Apple answer is timer-zero-interval-repeats.
-- Look for: a single fire.
-- Source: https://github.com/cappuccino/cappuccino/pull/1962
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local eager = rl.timer{ name = "eager", fireAt = 1, interval = 0, repeats = true, fire = function() note("eager") end }
rl.mainLoop:addTimer(eager)
rl.mainLoop:runUntil(3)
rl.expect(table.concat(log, " ") == "eager@1", "it fires once")
rl.expect(not eager:isValid(), "and is invalid afterwards")
