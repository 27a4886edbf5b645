-- Two threads that give way to each other and get nowhere: each takes its lock, finds the other one's taken, gives its own back, waits as
-- long as the other one does, and tries again. Nobody is blocked, and nothing gets done. Pauses of different lengths end it.
-- Look for: five rounds of `lock`, `lock.busy`, `unlock`, in step; then, from 10 on, different pauses, and both done in their second round.
local left = rl.mutex{ name = "left" }
local right = rl.mutex{ name = "right" }

local function takeBoth(own, others, pause)
  for round = 1, 5 do
    own:lock()
    rl.work(1)
    if others:tryLock() then
      others:unlock()
      own:unlock()
      return round
    end
    rl.work(0.5)
    own:unlock()
    rl.sleep(pause)
  end
  return nil -- gave up
end

local function meet(firstPause, secondPause)
  local first = rl.thread("first", function() return takeBoth(left, right, firstPause) end)
  local second = rl.thread("second", function() return takeBoth(right, left, secondPause) end)
  first:start()
  second:start()
  return first:join(), second:join()
end

local first, second = meet(0.5, 0.5)
rl.expect(first == nil and second == nil, "in step, neither ever gets both locks")
first, second = meet(0.5, 2)
rl.expect(first == 2 and second == 2, "out of step, both do")
