-- Listings 3-3 to 3-9: a custom input source with a command buffer. Its schedule and cancel callbacks tell a delegate on the main thread
-- where the source can be found; a client puts commands into the buffer under a lock, then signals the source and wakes its loop.
-- Look for: `source.schedule` and, on the main thread, `perform registerSource from=worker`; at 1 both commands in one `source commands`;
-- at 2 the worker waits in `source.cancel` until the main thread has carried out `removeSource`.

-- The delegate (3-6), on the main thread: the sources that are there for use.
local appDelegate = { sourcesToPing = {} }

function appDelegate.registerSource(context)
  table.insert(appDelegate.sourcesToPing, context)
end

function appDelegate.removeSource(context)
  for i, known in ipairs(appDelegate.sourcesToPing) do
    if known.source == context.source and known.loop == context.loop then
      table.remove(appDelegate.sourcesToPing, i)
      return
    end
  end
end

-- The source (3-3, 3-7, 3-8, 3-9).
local function newRunLoopSource(sourceFired)
  local self = {}
  local commands, lock = {}, rl.mutex{ name = "commandsLock" }

  local runLoopSource = rl.source{
    name = "commands",
    schedule = function(_, loop) -- 3-4
      rl.performOnMainThread(appDelegate.registerSource, { name = "registerSource", argument = { source = self, loop = loop } })
    end,
    perform = function() -- 3-5
      lock:lock()
      local pending = commands
      commands = {}
      lock:unlock()
      sourceFired(self, pending)
    end,
    cancel = function(_, loop) -- 3-6
      rl.performOnMainThread(appDelegate.removeSource,
        { name = "removeSource", argument = { source = self, loop = loop }, wait = true })
    end,
  }

  function self.addToCurrentRunLoop()
    rl.currentLoop():addSource(runLoopSource, "default")
  end

  function self.invalidate()
    runLoopSource:invalidate()
  end

  function self.addCommand(command)
    lock:lock()
    table.insert(commands, command)
    lock:unlock()
  end

  function self.fireAllCommandsOnRunLoop(loop)
    runLoopSource:signal()
    loop:wakeUp()
  end

  return self
end

-- The worker thread: it only has to install the source and to run its loop.
local log = {}
local worker = rl.thread("worker", function()
  local source = newRunLoopSource(function(self, commands)
    for _, command in ipairs(commands) do
      log[#log + 1] = ("%s@%g on %s"):format(command, rl.now(), rl.currentThread().name)
      if command == "exit" then self.invalidate() end
    end
  end)
  source.addToCurrentRunLoop()
  local result
  repeat result = rl.currentLoop():runInMode("default", 10, true) until result == "stopped" or result == "finished"
  log[#log + 1] = result
end)
worker:start()

-- The client, on the main thread.
local function send(...)
  local context = appDelegate.sourcesToPing[1]
  for _, command in ipairs{ ... } do context.source.addCommand(command) end
  context.source.fireAllCommandsOnRunLoop(context.loop)
end

rl.mainLoop:runInMode("default", 1)
rl.expect(#appDelegate.sourcesToPing == 1, "the source has been registered")
send("draw", "save")
rl.mainLoop:runInMode("default", 1)
send("exit")
rl.mainLoop:runInMode("default", 1)
rl.expect(#appDelegate.sourcesToPing == 0, "the source has been removed")
rl.expect(table.concat(log, ", ") == "draw@1 on worker, save@1 on worker, exit@2 on worker, finished", "all commands, on the worker")
worker:join()
--! compare: no, the worker makes its request while the main thread begins to wait
