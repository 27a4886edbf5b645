-- So many threads that each take a lock, add to a shared cell and give the lock back, so often.
-- rlsim explore Benchmarks/explore-locks.lua -- THREADS ROUNDS
local lock = rl.mutex{ name = "lock" }
local sum = rl.shared{ name = "sum", value = 0 }
local rounds = tonumber(rl.args[2] or 2)
local function body()
  for _ = 1, rounds do
    lock:lock()
    sum:set(sum:get() + 1)
    lock:unlock()
  end
end
local threads = {}
for i = 1, tonumber(rl.args[1] or 5) do threads[i] = rl.thread("t" .. i, body) end
for i = 1, #threads do threads[i]:start() end
for i = 1, #threads do threads[i]:join() end
