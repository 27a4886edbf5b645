-- Two threads count on one plain counter. To count is three steps: read, add, write. Here the first thread is through before the second one
-- begins, and all is well. But if both read before either writes, both write the same number and one count is lost: `rlsim explore` finds
-- that (faults expectation and dataRace).
-- Look for: read and write of either thread as two lines, with room between them.
rl.trace{ show = { "thread", "access" } }
local counter = rl.shared{ name = "counter", value = 0 }
local function count()
  local seen = counter:get()
  counter:set(seen + 1)
end

local first = rl.thread("first", count)
local second = rl.thread("second", count)
first:start()
second:start()
first:join()
second:join()
rl.expect(counter:get() == 2, "no addition is lost")
