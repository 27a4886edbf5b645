-- Asked: how often does the body of `while not exit do runMode(...) end` run, and when does the thread end?
-- Right: a perform is a handled source, so each one makes `runMode` return. The count is 1 at 0 and 2 at 1; the perform at 2 sets the flag
-- and the thread ends with 2. If main only sets the flag, without a perform or a wake-up, the second worker sleeps on for ever: the
-- script ends as `idle`.
-- Look for: `perform` and `run.exit result=handledSource` at 1 and 2; the second worker's silence after 3.
-- Source: http://stackoverflow.com/questions/18259708/nsrunloop-clarification-needed
local function startWorker(name)
  local state = { passes = {}, exit = false }
  state.thread = rl.thread(name, function()
    local loop = rl.currentLoop()
    loop:addPort(rl.port{ name = "keepAlivePort" })
    while not state.exit do
      state.passes[#state.passes + 1] = ("%g"):format(rl.now())
      loop:runMode("default", rl.distantFuture)
    end
    state.ended = rl.now()
  end)
  state.thread:start()
  return state
end

local first = startWorker("performed")
rl.sleepUntil(1)
first.thread:perform(function() end, { name = "dummy" })
rl.sleepUntil(2)
first.thread:perform(function() first.exit = true end, { name = "setExit" })
first.thread:join()
rl.expect(table.concat(first.passes, " ") == "0 1" and first.ended == 2, "each perform makes runMode return")

local second = startWorker("flagOnly")
rl.sleepUntil(3)
second.exit = true
rl.sleepUntil(4)
rl.expect(table.concat(second.passes, " ") == "2" and not second.ended, "a flag alone wakes nobody")
