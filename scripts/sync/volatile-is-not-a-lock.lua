-- `volatile` makes the compiler read and write memory each time; it makes no single step of "read, add, write". Every access here does go
-- to memory, as with volatile, and a count is lost all the same: both threads read 0 and write 1. (`rlsim explore` adds fault dataRace.)
-- Look for: two reads before the two writes.
rl.trace{ show = { "thread", "access" } }
local counter = rl.shared{ name = "counter", value = 0 }
local function count()
  local seen = counter:get()
  rl.work(1)
  counter:set(seen + 1)
end

local first = rl.thread("first", count)
local second = rl.thread("second", count)
first:start()
second:start()
first:join()
second:join()
rl.expect(counter:get() == 1, "two counts, and only one is left")
