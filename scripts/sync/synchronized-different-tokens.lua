-- `synchronized` excludes only those who give the same object. Two threads that lock the same token take turns; with a token each they are
-- inside at the same time, as if there were no lock at all.
-- Look for: with one token, `lock.wait` and ends at 1 and 2; with two tokens, no wait, and both end a second after they began.
local function run(firstToken, secondToken)
  local began = rl.now()
  local function body(token)
    return function()
      rl.synchronized(token, function() rl.work(1) end)
      return rl.now() - began
    end
  end
  local first = rl.thread("first", body(firstToken))
  local second = rl.thread("second", body(secondToken))
  first:start()
  second:start()
  return first:join(), second:join()
end

local token, other = rl.object{ name = "token" }, rl.object{ name = "other" }
local first, second = run(token, token)
rl.expect(first == 1 and second == 2, "one token: one after the other")
first, second = run(token, other)
rl.expect(first == 1 and second == 1, "two tokens: both at once")
--! compare: no, two threads ask for one lock at the same moment
