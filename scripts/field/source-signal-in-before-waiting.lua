-- Reported: an observer signals a source just before the loop sleeps; the loop goes to sleep all the same.
-- Right: signalled sources are looked at before beforeWaiting only, and a signal does not wake. The source is performed by a later run,
-- first thing. With a wake-up as well, the wait returns at once and the source is performed in the next pass.
-- Look for: `source.signal` between `beforeWaiting` and a long sleep.
-- Source: https://github.com/facebookarchive/AsyncDisplayKit/pull/1410, https://github.com/facebookarchive/AsyncDisplayKit/pull/1416
local log
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local function signalBeforeWaiting(name, alsoWake)
  local worker = rl.thread(name, function()
    log = {}
    local loop = rl.currentLoop()
    local source = rl.source{ name = "S", perform = function() note("S") end }
    loop:addSource(source)
    loop:addObserver(rl.observer{ name = "late", activities = { "beforeWaiting" }, repeats = false, handler = function()
      source:signal()
      if alsoWake then loop:wakeUp() end
    end })
    note(loop:runInMode("default", 3))
    note(source:isSignalled() and "signalled" or "silent")
    note(loop:runInMode("default", 0))
  end)
  worker:start()
  worker:join()
end

signalBeforeWaiting("signalOnly", false)
rl.expect(table.concat(log, " ") == "timedOut@3 signalled@3 S@3 timedOut@3", "the loop sleeps over the signal")
signalBeforeWaiting("signalAndWake", true)
rl.expect(table.concat(log, " ") == "S@3 timedOut@6 silent@6 timedOut@6", "with a wake-up it is performed at once")
