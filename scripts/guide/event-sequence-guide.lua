--! rlsim: --semantics guide
-- "The Run Loop Sequence of Events", the guide's ten steps, each met once; here to the letter of the guide. The file event-sequence.lua is
-- the same script as the code of Core Foundation does it. Where they differ:
-- - after a source (step 4) the guide goes on to sleep, the code looks at its ports without sleeping and starts over;
-- - a port that is ready (step 5) is served at once in the guide, while the code tells its observers of a sleep that ends at once.
-- Look for: the numbers of the steps in the comments at the end of this script.
local log = {}
local function note(what) log[#log + 1] = what end

local short = {
  entry = "entry", beforeTimers = "timers?", beforeSources = "sources?", beforeWaiting = "sleep", afterWaiting = "awake", exit = "exit",
}

local worker = rl.thread("worker", function()
  local loop = rl.currentLoop()
  loop:addObserver(rl.observer{ name = "observer", handler = function(activity) note(short[activity]) end })

  local source = rl.source{ name = "S", perform = function() note("S") end }
  loop:addSource(source)
  source:signal()

  local port = rl.port{ name = "P", receive = function() note("P") end }
  loop:addPort(port)

  loop:scheduleTimer{ name = "T", after = 1, fire = function()
    note("T")
    port:send("message") -- is ready when the next pass comes to step 5
  end }

  note(loop:runInMode("default", 3))
end)
worker:start()

rl.sleepUntil(2)
worker:loop():wakeUp()
worker:join()

rl.expect(table.concat(log, " ") == table.concat({
  "entry",                         -- step 1
  "timers? sources? S sleep awake T", -- steps 2, 3, 4, 6, 7 (until 1), 8, 9: the timer, then start over
  "timers? sources? P",            -- steps 2, 3, 5 (the port is ready: go to 9), 9: the message
  "timers? sources? sleep awake",  -- steps 2, 3, 6, 7 (until 2), 8, 9: woken by hand, then start over
  "timers? sources? sleep awake",  -- steps 2, 3, 6, 7 (until 3), 8, 9: the time is over
  "exit timedOut",                 -- step 10
}, " "), "the steps in the guide's order")
