-- Reported: when, and how often, do a source's schedule and cancel callbacks run? (An old release crashed without a cancel callback.)
-- Right: schedule once for each mode it is added to, and not again when it is already there. Invalidating the source in its own perform
-- runs cancel for each mode inside `invalidate`, before the perform returns. A missing callback is legal.
-- Look for: `source.schedule` and `source.cancel` around `source S`.
-- Source: https://github.com/nextbsd/nextbsd/pull/23, https://github.com/gerickson/opencflite/issues/37
local log = {}
local function note(what) log[#log + 1] = what end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  local cancelled = {}
  local source = rl.source{
    name = "S",
    schedule = function(_, _, mode) note("schedule(" .. mode .. ")") end,
    cancel = function(_, _, mode) cancelled[#cancelled + 1] = mode end,
    perform = function(source)
      note("perform")
      source:invalidate()
      table.sort(cancelled) -- the order of the modes is not specified
      note("cancel(" .. table.concat(cancelled, ",") .. ")")
    end,
  }
  loop:addSource(source, "default")
  loop:addSource(source, "M2")
  loop:addSource(source, "default")
  source:signal()
  note(loop:runInMode("default", 2))
  rl.expect(table.concat(log, " ") == "schedule(default) schedule(M2) perform cancel(M2,default) finished",
    "once a mode each; the cancels come inside invalidate")

  local bare = rl.source{ name = "bare" }
  loop:addSource(bare)
  bare:signal()
  rl.expect(loop:runInMode("default", 2, true) == "handledSource", "a source without callbacks is handled all the same")
  bare:invalidate()
end)
worker:start()
worker:join()
