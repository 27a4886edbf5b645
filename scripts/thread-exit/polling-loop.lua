-- A worker that never ends, the simple way: run the loop for one second, again and again.
-- It works, but the thread wakes up once a second for nothing: each run ends only because its second is over.
-- Look for: `afterWaiting … wake=timeout` at 1, 2, 3, … with no `source work` after any of them, and `thread.terminate` at the end:
-- nothing in the program stops this thread, only the end of the process does.
local wakeUps, jobs = 0, 0

rl.detach("worker", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "work", perform = function() jobs = jobs + 1 end })
  loop:addObserver(rl.observer{ name = "counter", activities = { "afterWaiting" }, handler = function() wakeUps = wakeUps + 1 end })
  while true do
    loop:runUntil(rl.now() + 1)
  end
end)

rl.sleepUntil(10.5)
rl.expect(wakeUps == 10, "ten wake-ups in ten seconds")
rl.expect(jobs == 0, "and not one of them for work")
