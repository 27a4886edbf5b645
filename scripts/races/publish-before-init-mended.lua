-- The mended publish-before-init: first fill in, then make known, through an atomic, so that whoever sees the object sees all that was
-- written before it. `rlsim explore` finds nothing.
-- Look for: `shared.set field` before the store of `published`.
rl.trace{ show = { "thread", "access" } }
local published = rl.atomic{ name = "published", value = 0 }
local field = rl.shared{ name = "field", value = 0 }
local reader = rl.thread("reader", function()
  if published:load() == 1 then
    rl.expect(field:get() == 42, "who sees the object sees its field")
  end
end)
reader:start()
field:set(42)
published:store(1)
reader:join()
