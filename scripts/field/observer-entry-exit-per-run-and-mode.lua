-- Reported: nesting depth is counted with entry and exit. What do the observers of a mode see?
-- Right: one pair for each run of their own mode: X (default) hears nothing of the nested run of M, Y (M) nothing of the outer one. A
-- `runUntil` makes a pair for each inner run: here two, since one source is handled.
-- Look for: which observer speaks at which `entry` and `exit`.
-- Source: https://github.com/go-gui-org/go-gui/pull/411, https://github.com/rust-windowing/winit/pull/3767
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
local function watch(name, mode)
  loop:addObserver(rl.observer{ name = name, activities = { "entry", "exit" }, handler = function(activity) note(name .. " " .. activity) end }, mode)
end
watch("X", "default")
watch("Y", "M")
local source = rl.source{ name = "S" }
loop:addSource(source, "default")
loop:addSource(rl.source{ name = "keepAlive" }, "M")
loop:scheduleTimer{ name = "modal", fireAt = 1, fire = function() loop:runInMode("M", 0.5) end }

loop:runInMode("default", 2)
rl.expect(table.concat(log, ", ") == "X entry@0, Y entry@1, Y exit@1.5, X exit@2", "each observer sees the runs of its own mode")

log = {}
source:signal()
loop:runUntil(3)
rl.expect(table.concat(log, ", ") == "X entry@2, X exit@2, X entry@2, X exit@3", "a pair for each inner run of runUntil")
