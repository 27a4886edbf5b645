-- Reported (as tests of another framework): work is dispatched to a loop while a nested run of it is under way.
-- Right: unlike timers and observers, a source can be performed while it is being performed. Its signal is cleared before the callout,
-- and there is no guard. Both runs return handledSource.
-- Look for: `source S` within `source S`, in the nested run.
-- Source: https://github.com/WebKit/WebKit (Tools/TestWebKitAPI/Tests/WTF/RunLoop.cpp)
local log = {}
local function note(what) log[#log + 1] = what end

local loop = rl.mainLoop
local depth = 0
local source = rl.source{ name = "S", perform = function(source)
  depth = depth + 1
  note("begin" .. depth)
  if depth == 1 then
    source:signal()
    note(loop:runInMode("default", 0, true))
  end
  note("end" .. depth)
  depth = depth - 1
end }
loop:addSource(source)
source:signal()
note(loop:runInMode("default", 1, true))
rl.expect(table.concat(log, " ") == "begin1 begin2 end2 handledSource end1 handledSource", "the perform is entered twice")
