-- A run loop belongs to one thread, and is made when that thread first asks for it. Before that there is none; asking again gives the same
-- one; with the thread it is gone.
-- Look for: `source.cancel keepAlive` at 2, when the worker's loop dies with it.
local worker = rl.thread("worker", function(thread)
  rl.expect(thread:loop() == nil, "a new thread has no loop")
  rl.sleepUntil(1)
  local loop = rl.currentLoop()
  rl.expect(loop ~= nil and loop == rl.currentLoop(), "it is made when asked for, once")
  rl.expect(loop ~= rl.mainLoop, "and it is the thread's own")
  loop:addSource(rl.source{ name = "keepAlive" })
  rl.sleepUntil(2)
end)
worker:start()
rl.sleepUntil(0.5)
rl.expect(worker:loop() == nil, "nobody has asked yet")
rl.sleepUntil(1.5)
rl.expect(worker:loop() ~= nil, "now it is there, for others too")
worker:join()
rl.expect(worker:loop() == nil, "gone with the thread")
