-- An object is made known to others before it is filled in.
-- Fault: a reader that comes in between finds it, and reads what is not there yet. `rlsim explore` finds: expectation, and dataRace, for
-- writing and reading the field is ordered by nothing. Under the default schedule the object is complete before the reader begins.
-- Look for: the store of `published` before `shared.set field`; in the trace that explore finds, the reader's load and `shared.get field`
-- between the two.
rl.trace{ show = { "thread", "access" } }
local published = rl.atomic{ name = "published", value = 0 }
local field = rl.shared{ name = "field", value = 0 }
local reader = rl.thread("reader", function()
  if published:load() == 1 then
    rl.expect(field:get() == 42, "who sees the object sees its field")
  end
end)
reader:start()
published:store(1)
field:set(42)
reader:join()
