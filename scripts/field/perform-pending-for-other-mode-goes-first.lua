-- Asked: a source is signalled, then a request is made; why does the request come first?
-- Right: all requests of a thread act as one source, which is signalled as long as any of them is pending, also one for a mode that is not
-- run. Here it was signalled by the request for `tracking`, before the source was; so it comes first in the default mode. When only that
-- request is left, the source is signalled anew, after whatever was signalled before.
-- Look for: `perform second` before `source work`, and at 1 `source late` before `perform first`.
-- Source: found by comparing with the library (docs/fidelity.md)
local log = {}
local function note(what) log[#log + 1] = what end

local loop = rl.mainLoop
local work = rl.source{ name = "work", perform = function() note("work") end }
local late = rl.source{ name = "late", perform = function() note("late") end }
loop:addSource(work)
loop:addSource(late, "tracking")

rl.mainThread:perform(function() note("first") end, { name = "first", modes = { "tracking" } })
work:signal()
rl.mainThread:perform(function() note("second") end, { name = "second", modes = { "default" } })
late:signal()
loop:runInMode("default", 1)
loop:runInMode("tracking", 0)
rl.expect(table.concat(log, " ") == "second work late first", "signalled first, called first")
