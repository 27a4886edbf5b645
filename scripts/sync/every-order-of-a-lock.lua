--! rlsim: --explore
--! compare: no, which thread has the lock first is what it is about
-- Two threads go through one lock, once each. The header line asks `rlsim test` to explore: the golden file holds every order of
-- notifications that there is, and a new one fails the test.
-- Look for: two orders, one for each thread that may be first, and none in which both are inside.
local lock = rl.mutex{ name = "lock" }
local inside = rl.atomic{ name = "inside", value = 0 }

local function visit(name)
  return rl.thread(name, function()
    lock:lock()
    rl.expect(inside:add(1) == 1, "nobody else is inside")
    inside:add(-1)
    lock:unlock()
  end)
end

local p, q = visit("p"), visit("q")
p:start()
q:start()
p:join()
q:join()
