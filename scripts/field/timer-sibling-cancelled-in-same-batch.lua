-- Reported: old timers fire after they were thought gone. Here A's callback cancels B although both are already due.
-- Right: B does not fire, whether A invalidates it or only removes it from the mode: each timer of a batch is checked again before
-- its callout. (A source in the same position IS still performed: see source-sibling-cancelled-in-same-batch.)
-- Look for: `timer A` at 2 and 12, and no `timer B`.
-- Source: https://github.com/AudioKit/AudioKit/pull/1404
local function heldUntilBothAreDue(how, cancel)
  local worker = rl.thread(how, function()
    local start, log = rl.now(), {}
    local loop = rl.currentLoop()
    local b = rl.timer{ name = "B", fireAt = start + 1.05, fire = function() log[#log + 1] = "B" end }
    local a = rl.timer{ name = "A", fireAt = start + 1, fire = function()
      log[#log + 1] = "A"
      cancel(loop, b)
    end }
    loop:addTimer(a)
    loop:addTimer(b)
    rl.work(2)
    loop:runInMode("default", 3)
    rl.expect(table.concat(log, " ") == "A", how .. ": B does not fire")
  end)
  worker:start()
  worker:join()
end

heldUntilBothAreDue("invalidated", function(_, b) b:invalidate() end)
rl.sleepUntil(10)
heldUntilBothAreDue("removed", function(loop, b) loop:removeTimer(b, "default") end)
