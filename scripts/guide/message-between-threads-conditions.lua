-- Table 1-3, ways to pass messages between threads: conditions. A gate: the consumer waits, without looking again and again, until the
-- producer says that the predicate may have become true.
-- Look for: `condition.wait jobs` of the consumer; `condition.signal jobs` at 1 and 2, each followed by a `condition.wake`. The second
-- signal at 2 is `lost=true`, as nobody waits, but no job is lost by that: the consumer looks at the queue before it waits.
local jobs = rl.condition{ name = "jobs" }
local queue, done = {}, {}

local consumer = rl.thread("consumer", function()
  while true do
    jobs:lock()
    while #queue == 0 do jobs:wait() end
    local job = table.remove(queue, 1)
    jobs:unlock()

    if job == "quit" then return end
    rl.work(0.1)
    done[#done + 1] = ("%s@%g"):format(job, rl.now())
  end
end)
consumer:start()

local function send(job)
  jobs:lock()
  table.insert(queue, job)
  jobs:signal()
  jobs:unlock()
end

rl.sleepUntil(1)
send("print")
rl.sleepUntil(2)
send("fax")
send("quit") -- comes when the consumer is awake: nobody waits for this signal, but the queue tells
consumer:join()
rl.expect(table.concat(done, " ") == "print@1.1 fax@2.1", "each job is begun as soon as it is there")
