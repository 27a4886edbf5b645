-- So many timers in one loop, that none of fires: what a timer takes in memory.
--   rlsim run --quiet --stats --max-memory 8G many-timers.lua -- TIMERS
local loop = rl.currentLoop()
local fire = function() end
for n = 1, tonumber(rl.args[1]) do
  loop:addTimer(rl.timer{ after = 10 + n * 0.001, fire = fire })
end
loop:runInMode("default", 1)
