-- So many philosophers who eat so often, each with the fork to the left and then the one to the right.
-- rlsim explore Benchmarks/philosophers.lua -- PHILOSOPHERS MEALS
local count, meals = tonumber(rl.args[1] or 4), tonumber(rl.args[2] or 1)
local forks, threads = {}, {}
for i = 1, count do forks[i] = rl.mutex{ name = "fork" .. i } end
for i = 1, count do
  local left, right = forks[i], forks[i % count + 1]
  threads[i] = rl.thread("p" .. i, function()
    for _ = 1, meals do
      left:lock()
      right:lock()
      right:unlock()
      left:unlock()
    end
  end)
end
for i = 1, count do threads[i]:start() end
for i = 1, count do threads[i]:join() end
