-- "Removing all sources and timers may end the run, but do not rely on it": some system routine may have added a source that you do not
-- know of, and that keeps the loop alive.
-- Look for: the first worker ends at 1 with `result=finished`; the second one does the same and sleeps on. The run ends as idle.
local function startWorker(name, systemRoutine)
  local worker = rl.thread(name, function()
    local loop = rl.currentLoop()
    systemRoutine(loop)
    local source = rl.source{ name = "mySource" }
    loop:addSource(source)
    loop:scheduleTimer{ name = "finish", after = 1, fire = function() loop:removeSource(source) end }
    loop:run()
  end)
  worker:start()
  return worker
end

local plain = startWorker("plain", function() end)
local surprised = startWorker("surprised", function(loop) loop:addPort(rl.port{ name = "systemPort" }) end)

rl.sleepUntil(60)
rl.expect(plain:isFinished(), "without its source and its timer the loop is empty, and the thread ends")
rl.expect(surprised:isExecuting() and surprised:loop():isWaiting(), "the system's source keeps this one waiting")
