-- Reported: people expect a perform on the main thread, made on the main thread, to be inline.
-- Right: without wait it is queued for the loop: 1, 3, 2.
-- Look for: the `log` lines.
-- Source: https://github.com/libsdl-org/SDL/pull/16339
local order = {}
local function say(number)
  rl.log(number)
  order[#order + 1] = number
end

say(1)
rl.performOnMainThread(function() say(2) end, { wait = false })
say(3)
rl.mainLoop:runInMode("default", 0)
rl.expect(table.concat(order, " ") == "1 3 2", "the perform waits for the loop")
