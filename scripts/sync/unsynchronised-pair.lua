-- Two numbers that belong together, written one after the other without a lock. A reader that comes in between sees half of the change.
-- (`rlsim explore` adds fault dataRace.)
-- Look for: `shared.get` on the reader at 0.5, between the writer's two `shared.set`.
rl.trace{ show = { "thread", "access", "log" } }
local width = rl.shared{ name = "width", value = 1 }
local height = rl.shared{ name = "height", value = 1 }

local writer = rl.thread("writer", function()
  width:set(2)
  rl.work(1)
  height:set(2)
end)
local reader = rl.thread("reader", function()
  rl.sleepUntil(0.5)
  return width:get(), height:get()
end)
writer:start()
reader:start()
local w, h = reader:join()
writer:join()
rl.log("seen", w, h)
rl.expect(w == 2 and h == 1, "a pair is seen that nobody ever meant")
rl.expect(width:get() == 2 and height:get() == 2, "the whole change, too late for the reader")
