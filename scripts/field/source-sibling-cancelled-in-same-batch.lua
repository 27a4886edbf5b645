-- Reported: is removing a source as good as invalidating it? Here A's perform gets rid of B, which was signalled too.
-- Right: invalidated, B is not performed. Only removed from the mode, B IS still performed in this batch, although it is in no mode any
-- more: before its callout a source is checked for signalled and valid, not for membership.
-- (A timer in the same position does not fire: see timer-sibling-cancelled-in-same-batch.)
-- Look for: `source B` after `source.cancel B` on the thread "removed".
-- Source: https://github.com/twitter-archive/CocoaSPDY/pull/156, https://github.com/dustinrue/ControlPlane/issues/98
local function bothSignalled(how, getRidOf)
  local log = {}
  local worker = rl.thread(how, function()
    local loop = rl.currentLoop()
    local b = rl.source{ name = "B", order = 1, perform = function() log[#log + 1] = "B" end }
    local a = rl.source{ name = "A", order = 0, perform = function()
      log[#log + 1] = "A"
      getRidOf(loop, b)
    end }
    loop:addSource(a)
    loop:addSource(b)
    a:signal()
    b:signal()
    loop:runInMode("default", 1)
  end)
  worker:start()
  worker:join()
  return table.concat(log, " ")
end

rl.expect(bothSignalled("invalidated", function(_, b) b:invalidate() end) == "A", "an invalidated source is not performed")
rl.expect(bothSignalled("removed", function(loop, b) loop:removeSource(b) end) == "A B", "a removed one still is")
