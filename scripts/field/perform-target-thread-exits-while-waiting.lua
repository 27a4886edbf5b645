-- Reported: an app crashes with "target thread exited while waiting for the perform".
-- Right (Apple): the worker ends at 1 without serving its loop again. The caller, who has been waiting since 0.5, gets the error at 1;
-- the function is not run. (GNUstep lets the caller go on without an error.)
-- Look for: the main thread blocked from 0.5 to 1.
-- Source: https://github.com/AlphaWallet/alpha-wallet-ios/issues/4883,
-- https://github.com/forcedotcom/SalesforceMobileSDK-iOS/issues/1580
local performed = false
local worker = rl.thread("worker", function()
  rl.currentLoop()
  rl.sleepUntil(1)
end)
worker:start()
rl.sleepUntil(0.5)
local ok, message = pcall(function()
  worker:perform(function() performed = true end, { wait = true, name = "late" })
end)
rl.expect(not ok and rl.now() == 1, "the caller gets an error when the thread ends")
rl.expect(tostring(message):find("target thread exited while waiting for the perform", 1, true), "which says why")
rl.expect(not performed, "the function was not run")
worker:join()
