-- Reported: "stop the current loop", executed on another thread than intended, stops an innocent loop.
-- Right: the current loop is the calling thread's. A completion that was meant for W1 is delivered on W2: W2 is stopped at 1, and W1
-- runs on to its deadline.
-- Look for: `loop.stop W2`.
-- Source: https://github.com/SDWebImage/SDWebImage/pull/790
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local function startRunning(name)
  local thread = rl.thread(name, function()
    rl.currentLoop():addSource(rl.source{ name = "keepAlive" })
    note(name .. " " .. rl.currentLoop():runInMode("default", 3))
  end)
  thread:start()
  return thread
end
local w1, w2 = startRunning("W1"), startRunning("W2")
local function completionForW1() rl.currentLoop():stop() end
rl.sleepUntil(1)
w2:perform(completionForW1)
w1:join()
w2:join()
rl.expect(table.concat(log, ", ") == "W2 stopped@1, W1 timedOut@3", "the wrong loop is stopped")
