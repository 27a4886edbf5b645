-- Reported: a read call never returns. The thread gets the device's answers by its own loop, and waits for one without running the loop.
-- Right: it waits for ever, for something that only it could do. Mended: a nested run instead of the wait. This script ends with exit code
-- 1 and fault stuck: that is what it shows.
-- Look for: `port mendedDevice` on the first worker at 1; on the second one nothing after its wait, and `fault stuck`.
-- Source: https://github.com/cvuchener/hidpp/issues/17
local function startReader(name, waitForAnswer)
  local answered = rl.semaphore{ name = name .. "Answered" }
  local device = rl.port{ name = name .. "Device", receive = function() answered:signal() end }
  local reader = rl.thread(name, function()
    rl.currentLoop():addPort(device)
    waitForAnswer(answered)
    return rl.now()
  end)
  reader:start()
  return reader, device
end

local reader, device = startReader("mended", function(answered)
  rl.currentLoop():runInMode("default", rl.distantFuture, true)
  answered:wait()
end)
rl.sleepUntil(1)
device:send("answer")
rl.expect(reader:join() == 1, "with a nested run the answer comes through")

reader, device = startReader("broken", function(answered) answered:wait() end)
rl.sleepUntil(2)
device:send("answer")
reader:join()
rl.expect(false, "the read never returns")
