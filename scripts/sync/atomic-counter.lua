-- Two threads count on one counter. An atomic addition reads, adds and writes in one step; nothing comes in between, so no count is lost,
-- in whatever order the threads go on: `rlsim explore` finds nothing. plain-counter is the same without it.
-- Look for: the four additions, each one line.
rl.trace{ show = { "thread", "access" } }
local counter = rl.atomic{ name = "counter", value = 0 }
local function count()
  counter:add(1)
  counter:add(1)
end

local first = rl.thread("first", count)
local second = rl.thread("second", count)
first:start()
second:start()
first:join()
second:join()
rl.expect(counter:load() == 4, "no addition is lost")
