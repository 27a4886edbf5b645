-- Reported: hang detectors must be the first or the last observer.
-- Right: ascending order, equal orders by who was added first: with 30, 10, 20, 10 it is 10 (added second), 10 (added fourth), 20, 30.
-- Look for: the four `observer` lines after `beforeWaiting`.
-- Source: https://github.com/WebKit/WebKit (Tools/TestWebKitAPI/Tests/WTF/glib/ActivityObserver.cpp),
-- https://github.com/bugsnag/bugsnag-cocoa/pull/1029, https://github.com/Tencent/matrix/issues/167
local log = {}

for i, order in ipairs{ 30, 10, 20, 10 } do
  rl.mainLoop:addObserver(rl.observer{ name = "added" .. i, activities = { "beforeWaiting" }, order = order, handler = function()
    log[#log + 1] = order .. "/" .. i
  end })
end
rl.mainLoop:runInMode("default", 1)
rl.expect(table.concat(log, " ") == "10/2 10/4 20/3 30/1", "ascending order, ties by order of adding")
