-- Reported: a crash, or a lost signal, when another thread signals a source whose thread has ended.
-- Right: at the end of its thread the source's cancel callback runs, on that thread. The source stays valid and signalled; nothing will
-- ever perform it, and later signals are silent.
-- Look for: `source.cancel S` just before the worker's `thread.exit`, and no `source S`.
-- Source: https://github.com/realm/realm-swift/pull/1612
local log = {}
local function note(what) log[#log + 1] = what .. " on " .. rl.currentThread().name end

local source = rl.source{
  name = "S",
  schedule = function() note("schedule") end,
  cancel = function() note("cancel") end,
  perform = function() note("perform") end,
}
local worker = rl.thread("worker", function()
  rl.currentLoop():addSource(source)
  source:signal()
end)
worker:start()
worker:join()

rl.expect(source:isValid() and source:isSignalled(), "valid and signalled, but of no use")
source:signal()
rl.sleep(1)
rl.expect(table.concat(log, ", ") == "schedule on worker, cancel on worker", "cancelled by its thread, never performed")
