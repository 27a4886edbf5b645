-- So many threads, each in a running loop of its own with one repeating timer, until so many timers have fired.
--   rlsim run --quiet threads.lua -- THREADS FIRES
local threads = tonumber(rl.args[1] or "10")
local fires = tonumber(rl.args[2] or "1000000")
local fire = function() end
local function interval(n) return 1 + (n % 997) * 0.001000003 end
local rate = 0
for n = 1, threads do rate = rate + 1 / interval(n) end
for n = 1, threads do
  rl.thread{
    joinable = true,
    entry = function()
      local loop = rl.currentLoop()
      loop:addTimer(rl.timer{ after = interval(n), interval = interval(n), fire = fire })
      loop:runInMode("default", fires / rate)
    end,
  }:start()
end
