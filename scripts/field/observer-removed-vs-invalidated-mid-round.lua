-- Reported: an observer that was just removed is called once more.
-- Right: a notification works through the list it collected, and checks validity only. A removes B and invalidates C: B IS called, C is
-- not. In the next round none is left (A does not repeat).
-- Look for: `observer B` after A removed it.
-- Source: https://github.com/getsentry/sentry-cocoa/pull/8287, https://github.com/getsentry/sentry-cocoa/pull/8179
local log = {}
local loop = rl.mainLoop
local function add(name, order, repeats, handler)
  local observer = rl.observer{ name = name, activities = { "beforeWaiting" }, order = order, repeats = repeats, handler = function()
    log[#log + 1] = name
    if handler then handler() end
  end }
  loop:addObserver(observer)
  return observer
end

local b, c
add("A", 0, false, function()
  loop:removeObserver(b)
  c:invalidate()
end)
b = add("B", 1, true)
c = add("C", 2, true)
loop:addSource(rl.source{ name = "keepAlive" })

loop:runInMode("default", 0.5)
rl.expect(table.concat(log, " ") == "A B", "the removed one is called, the invalidated one is not")
loop:runInMode("default", 0.5)
rl.expect(table.concat(log, " ") == "A B", "nobody is left in the next round")
