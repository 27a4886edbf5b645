-- Reported: a modal loop that is opened from a main-queue block holds up every later main-queue block, while timers, sources and
-- run-loop blocks go on.
-- Right: the main queue is never served from inside one of its own blocks. Both nested runs time out; Y runs in the second outer run, at 2,
-- after X has returned. A "while not Y" around the nested run would never end.
-- Look for: `queue main` for Y only after X's nested runs.
-- Source: https://github.com/wailsapp/wails/pull/6026, https://github.com/libsdl-org/SDL/issues/9836,
-- https://github.com/calabash/calabash-ios-server/pull/393, https://github.com/webview/webview/pull/1368,
-- https://github.com/flutter-team-archive/engine/pull/27732
local log = {}
local function note(what) log[#log + 1] = ("%s@%g"):format(what, rl.now()) end

local loop = rl.mainLoop
loop:addSource(rl.source{ name = "keepAlive" })
rl.mainQueue:async(function()
  note("X")
  rl.mainQueue:async(function() note("Y") end)
  loop:performBlock(function() note("Z") end)
  loop:scheduleTimer{ name = "T", after = 0.5, fire = function() note("T") end }
  note("nested " .. loop:runInMode("default", 1))
  note("nested " .. loop:runInMode("default", 1))
end)
note("outer " .. loop:runInMode("default", 5, true))
note("outer " .. loop:runInMode("default", 1, true))
rl.expect(table.concat(log, ", ") == "X@0, Z@0, T@0.5, nested timedOut@1, nested timedOut@2, outer handledSource@2, Y@2, outer handledSource@2",
  "Y has to wait until X has returned")
