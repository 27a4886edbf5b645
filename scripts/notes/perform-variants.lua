-- The family of performSelector: on the main thread without and with waiting, in chosen modes, after a delay, in the background.
-- Look for: the log lines of the worker against the `perform` lines of the main thread.
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local function slow(name)
  return function()
    rl.expect(rl.currentThread():isMain(), "on the main thread")
    rl.work(0.5)
    note(name)
  end
end

rl.detach("worker", function()
  rl.sleepUntil(1)
  rl.performOnMainThread(slow("not waited for"), { name = "noWait" })
  note("goes on")

  rl.sleepUntil(2)
  rl.performOnMainThread(slow("waited for"), { name = "wait", wait = true })
  note("goes on")

  rl.sleepUntil(3)
  rl.performOnMainThread(slow("in tracking"), { name = "onlyTracking", modes = { "tracking" } })
end)

local loop = rl.mainLoop
loop:runInMode("default", 3.5)
rl.expect(table.concat(log, ", ") == "goes on@1, not waited for@1.5, waited for@2.5, goes on@2.5", "without and with waiting")

log = {}
loop:runInMode("default", 0.5)
local result = loop:runInMode("tracking", 1)
rl.expect(table.concat(log, ", ") == "in tracking@4.5", "not before the loop runs in that mode")
rl.expect(result == "finished", "the request was all that this mode had to run for")

log = {}
rl.performAfterDelay(1, function(who) note("hello " .. who) end, { name = "later", argument = "world" })
note("asked")
loop:runInMode("default", 2)
rl.expect(table.concat(log, ", ") == "asked@4.5, hello world@5.5", "after a delay, on this thread")

log = {}
rl.performInBackground(function(who)
  rl.expect(not rl.currentThread():isMain(), "on a new thread")
  note("background " .. who)
end, "job")
rl.sleep(1)
rl.expect(table.concat(log, ", ") == "background job@6.5", "in the background, while this thread sleeps")
