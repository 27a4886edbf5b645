-- A thread that stays: a port keeps its loop alive, and it runs the loop until told to stop. Tasks are sent to it from outside as performs;
-- all of them run on this one thread. To stop it, a perform sets the thread's own flag, and the caller waits for that.
-- Look for: the three tasks on the worker, its silence in between, and `thread.exit` at 3.
local function keepAliveThread(name)
  local thread = rl.thread(name, function(thread)
    local loop = rl.currentLoop()
    loop:addPort(rl.port{ name = "keepAlivePort" })
    while not thread.dictionary.stopped do loop:runMode("default", rl.distantFuture) end
  end)
  thread:start()

  local function execute(task, taskName) thread:perform(task, { name = taskName }) end
  local function stop()
    thread:perform(function()
      thread.dictionary.stopped = true
      rl.currentLoop():stop()
    end, { wait = true, name = "stop" })
    thread:join()
  end
  return execute, stop
end

local log = {}
local function note() log[#log + 1] = ("%s@%g"):format(rl.currentThread().name, rl.now()) end

local execute, stop = keepAliveThread("worker")
rl.sleepUntil(1)
execute(note, "task1")
rl.sleepUntil(2)
execute(note, "task2")
execute(note, "task3")
rl.sleepUntil(3)
stop()
rl.expect(table.concat(log, " ") == "worker@1 worker@2 worker@2", "all tasks on one thread")
rl.expect(rl.now() == 3, "which ends when it is told to")
