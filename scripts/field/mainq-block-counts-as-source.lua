-- Reported: a run that returns after a source says handledSource though none of the caller's sources fired.
-- Right: serving the main queue counts as a handled source. Callers must loop on their own condition.
-- Look for: `queue main`, then `result=handledSource`.
-- Source: https://github.com/swiftlang/swift-corelibs-foundation (Tests/Foundation/TestRunLoop.swift, test_mainDispatchQueueCallout),
-- https://github.com/Yubico/python-fido2/pull/245
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

rl.mainQueue:async(function() note("block") end)
note(rl.mainLoop:runInMode("default", 2, true))
rl.expect(table.concat(log, " ") == "block@0 handledSource@0", "a main-queue block ends the run")
