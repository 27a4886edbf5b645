-- Reported: code that "drains" a loop with one `run` of limit 0 that returns after a source leaves work behind.
-- Right: each such run performs one source: the lowest order first, equal orders by who was signalled first. Four calls: C, B, A,
-- and only the last one has nothing to do and times out.
-- Look for: one `source` in each run.
-- Source: https://github.com/qt/qtbase (qeventdispatcher_cf.mm), https://github.com/kif-framework/KIF/pull/351,
-- https://github.com/chromium/chromium (message_pump_apple_unittest.mm)
local log = {}
local function note(what) log[#log + 1] = what end

local loop = rl.mainLoop
local function add(name, order)
  local source = rl.source{ name = name, order = order, perform = function() note(name) end }
  loop:addSource(source, "default")
  return source
end
local a, b, c = add("A", 2), add("B", 1), add("C", 1)
a:signal()
c:signal()
b:signal()
for _ = 1, 4 do note(loop:runInMode("default", 0, true)) end
rl.expect(table.concat(log, " ") == "C handledSource B handledSource A handledSource timedOut", "one source a run")
