-- A perform request is a source that removes itself once it has been carried out: it keeps the loop alive until then, and no longer.
-- Look for: the run does not finish at once although the loop has no other source; it does after `perform greet`.
local greeted = false

local worker = rl.thread("worker", function(thread)
  local loop = rl.currentLoop()
  rl.expect(loop:runInMode("default", 10) == "finished", "an empty loop has nothing to do")

  thread:perform(function() greeted = true end, { name = "greet" })
  rl.expect(not greeted, "it is carried out by the loop, not now")
  rl.expect(loop:runInMode("default", 10) == "finished", "the loop carries it out and is empty again")
  rl.expect(greeted and rl.now() == 0, "without waiting for anything else")
end)
worker:start()
worker:join()
