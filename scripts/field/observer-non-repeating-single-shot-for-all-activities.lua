-- Reported: is a non-repeating observer of two activities called once for each, or once in total?
-- Right: once in total. It is called for beforeTimers, is still valid during the call and invalid afterwards; there is no call for
-- beforeSources.
-- Look for: one `observer once`.
-- Source: https://github.com/WebKit/WebKit/pull/54242
local log = {}

local once = rl.observer{ name = "once", activities = { "beforeTimers", "beforeSources" }, repeats = false, handler = function(activity, observer)
  log[#log + 1] = activity
  rl.expect(observer:isValid(), "valid during its call")
end }
rl.mainLoop:addSource(rl.source{ name = "keepAlive" })
rl.mainLoop:addObserver(once)
rl.mainLoop:runInMode("default", 0.5)
rl.expect(table.concat(log, " ") == "beforeTimers", "one call in total")
rl.expect(not once:isValid(), "invalid afterwards")
