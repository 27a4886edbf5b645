-- Table 1-3 of the guide, ways to pass messages between threads: direct messaging. One thread calls a function on another one
-- (performSelector:onThread:…); that thread's loop carries it out.
-- Look for: `perform square from=main` on the worker, `perform showResult from=worker` on the main thread.
local result, squaredOn

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addPort(rl.port{ name = "keepAlive" })
  loop:run()
end)
worker:start()

local function showResult(value)
  rl.expect(rl.currentThread():isMain(), "the result is shown on the main thread")
  result = value
  rl.mainLoop:stop()
end

local function square(number)
  squaredOn = rl.currentThread()
  rl.work(0.5)
  rl.performOnMainThread(showResult, { name = "showResult", argument = number * number })
end

worker:perform(square, { name = "square", argument = 12 })
rl.mainLoop:run()
rl.expect(result == 144 and squaredOn == worker and rl.now() == 0.5, "there and back")

worker:perform(function() rl.currentLoop():stop() end, { name = "stop", wait = true })
worker:join()
