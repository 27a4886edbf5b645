-- Table 1-3, ways to pass messages between threads: shared memory. Quick and simple, but each access needs the lock, and nobody is told
-- that there is something new: the reader has to come back and look.
-- Look for: the main thread's `lock progressLock` every 0.3 s, most often for nothing new.
local lock = rl.mutex{ name = "progressLock" }
local progress = rl.shared{ name = "progress", value = 0 }

local function locked(fn)
  lock:lock()
  local result = fn()
  lock:unlock()
  return result
end

local worker = rl.thread("worker", function()
  for percent = 50, 100, 50 do
    rl.work(1)
    locked(function() progress:set(percent) end)
  end
end)
worker:start()

local looks, seen = 0, {}
repeat
  rl.sleep(0.3)
  looks = looks + 1
  local percent = locked(function() return progress:get() end)
  if percent ~= seen[#seen] then seen[#seen + 1] = percent end
until percent == 100
worker:join()

rl.expect(table.concat(seen, " ") == "0 50 100", "every value was seen")
rl.expect(looks == 7, "seven looks for three values, and the last one was seen a tenth of a second late")
