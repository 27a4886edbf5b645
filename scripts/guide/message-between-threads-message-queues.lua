-- Table 1-3, ways to pass messages between threads: message queues, as Multiprocessing Services had them. A queue takes messages in and
-- gives them out, first in, first out; whoever waits for one says for how long. No run loop is part of it.
-- Look for: `semaphore.wait jobs` of the worker: the first one lasts until `semaphore.wake jobs` at 1; the one at 1.25 goes straight on, as a
-- second message is there; the one at 1.5 runs out, `timedOut=true`.
local function messageQueue(name)
  local count = rl.semaphore{ name = name }
  local lock = rl.mutex{ name = name .. ".lock" }
  local messages = {}
  local queue = {}

  function queue.notify(message) -- MPNotifyQueue
    lock:lock()
    table.insert(messages, message)
    lock:unlock()
    count:signal()
  end

  function queue.wait(timeout) -- MPWaitOnQueue
    if not count:wait(rl.now() + timeout) then return nil, "timedOut" end
    lock:lock()
    local message = table.remove(messages, 1)
    lock:unlock()
    return message
  end

  return queue
end

local jobs = messageQueue("jobs")
local done = {}

local worker = rl.thread("worker", function()
  while true do
    local job, why = jobs.wait(2)
    if not job then return rl.log(why) end
    rl.work(0.25)
    done[#done + 1] = ("%s@%g"):format(job, rl.now())
  end
end)
worker:start()

rl.sleepUntil(1)
jobs.notify("first")
jobs.notify("second")
worker:join()
rl.expect(table.concat(done, " ") == "first@1.25 second@1.5", "first in, first out")
rl.expect(rl.now() == 3.5, "nothing came for two seconds after the last job")
