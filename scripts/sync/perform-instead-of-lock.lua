-- No lock, and no race: the total belongs to one thread. Others do not touch it, they ask its owner to (`perform`), and the owner's loop
-- carries out one request after the other. `rlsim explore` finds nothing.
-- Look for: each `perform` on the owner thread, never two at once.
local total = rl.shared{ name = "total", value = 0 }

local owner = rl.thread("owner", function()
  local loop = rl.currentLoop()
  loop:addSource(rl.source{ name = "keepAlive" })
  loop:run()
  return total:get()
end)
owner:start()

local function deposit(name, amount)
  local client = rl.thread(name, function()
    owner:perform(function()
      local before = total:get()
      rl.work(1) -- room for another thread to come in between, but none does
      total:set(before + amount)
    end, { name = name .. "Deposit" })
  end)
  client:start()
  return client
end
local first, second = deposit("first", 10), deposit("second", 20)
first:join()
second:join()
owner:perform(function() rl.currentLoop():stop() end, { name = "stop" })
rl.expect(owner:join() == 30, "both deposits count")
--! compare: no, two threads make requests at the same moment
