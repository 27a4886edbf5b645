-- Reported: pairs of entry and exit do not balance.
-- Right: an observer that is added while the loop runs has missed the entry, which is sent once, before the passes. It sees the exit only.
-- Look for: one `observer late`, at the end.
-- Source: https://github.com/WebKit/WebKit (Tools/TestWebKitAPI/Tests/WTF/glib/ActivityObserver.cpp)
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:scheduleTimer{ name = "adder", fireAt = 1, fire = function()
  loop:addObserver(rl.observer{ name = "late", activities = { "entry", "exit" }, handler = note })
end }
loop:runInMode("default", 2)
rl.expect(table.concat(log, " ") == "exit@2", "an exit without an entry")
