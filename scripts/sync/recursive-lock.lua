-- A thread may take a recursive lock again while it holds it, as functions that lock and call each other do; others get it when it has been
-- unlocked as often as it was locked. A plain mutex, taken again by its holder, would wait for itself for ever: the simulator makes that an
-- error at once.
-- Look for: three times `lock tree`, three times `unlock tree`, and the text of the error in the log.
local tree = rl.recursiveMutex{ name = "tree" }

local function isFreeForOthers()
  local other = rl.thread("other", function()
    local got = tree:tryLock()
    if got then tree:unlock() end
    return got
  end)
  other:start()
  return other:join()
end

local function visit(depth)
  tree:lock()
  if depth > 1 then visit(depth - 1) end
  rl.expect(not isFreeForOthers(), "held at every depth")
  tree:unlock()
end
visit(3)
rl.expect(isFreeForOthers(), "free after the last unlock")

local plain = rl.mutex{ name = "plain" }
plain:lock()
local ok, message = pcall(function() plain:lock() end)
rl.log(message)
rl.expect(not ok, "a plain mutex cannot be taken twice")
rl.expect(tostring(message):find("since", 1, true), "the error says since when it is held")
plain:unlock()
--! compare: no, the message it logs tells since when the lock is held
