-- So many repeating timers with an empty callback in one loop, with the intervals of floor.c, until so many have fired.
--   rlsim run --quiet --stats quiet-timers.lua -- TIMERS FIRES
local timers = tonumber(rl.args[1] or "10")
local fires = tonumber(rl.args[2] or "1000000")
local loop = rl.currentLoop()
local rate = 0
for n = 0, timers - 1 do
  local interval = 1 + (n % 997) * 0.001000003
  rate = rate + 1 / interval
  loop:addTimer(rl.timer{ after = interval, interval = interval, fire = function() end })
end
loop:runInMode("default", fires / rate)
