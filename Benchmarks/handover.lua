-- So many threads, each in a running loop of its own, hand a condition around: the one that has it wakes the one that has
-- waited longest and waits itself, until there were so many hand-overs.
--   rlsim run --quiet handover.lua -- THREADS HANDOVERS
local threads = tonumber(rl.args[1] or "10")
local handovers = tonumber(rl.args[2] or "1000000")
local condition = rl.condition()
local done = 0

local function take_turns()
  condition:lock()
  while done < handovers do
    done = done + 1
    condition:signal()
    condition:wait()
  end
  condition:signal() -- the next one ends too
  condition:unlock()
end

for _ = 1, threads do
  rl.thread{
    joinable = true,
    entry = function()
      local loop = rl.currentLoop()
      loop:addTimer(rl.timer{ after = 1, fire = take_turns })
      loop:run()
    end,
  }:start()
end
