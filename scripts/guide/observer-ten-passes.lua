-- Listing 3-1: an observer of all activities, a repeating timer, and the loop run ten times for one second each, so that the timer can
-- fire. (The guide's timer has 0.1 s, this one 0.3 s, and the activities are hidden: the observer's own lines say the same.)
-- Look for: each run begins with `observer … activity=entry` and ends with `activity=exit`; between them the passes: a timer that fires
-- does not end the run.
rl.trace{ hide = { "activity" } }

local entries, exits, fires = 0, 0, 0

local function myRunLoopObserver(activity)
  if activity == "entry" then entries = entries + 1 end
  if activity == "exit" then exits = exits + 1 end
end

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addObserver(rl.observer{ name = "observer", activities = "all", handler = myRunLoopObserver }, "default")
  loop:scheduleTimer{ name = "doFireTimer", interval = 0.3, repeats = true, fire = function() fires = fires + 1 end }

  local loopCount = 10
  repeat
    loop:runUntil(rl.now() + 1)
    loopCount = loopCount - 1
  until loopCount == 0
end)
worker:start()
worker:join()

rl.expect(rl.now() == 10, "ten seconds")
rl.expect(entries == 10 and exits == 10, "ten runs")
rl.expect(fires == 33, "the timer fired every 0.3 s")
--! compare: no, a fire and the end of a run at the same moment
