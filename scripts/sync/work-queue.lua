-- A queue of two places between a producer and two workers. A plain Lua table would do, too, but `rlsim explore` does not see one, and
-- then takes every interleaving. Here all that the threads share is an object: the counts of what was put and taken, and the places, each
-- an `rl.shared`, under a lock; two semaphores count the items and the free places. So the reduction is on, and it finds nothing, a data
-- race of the places and counts included. (The table `places` itself is filled before the threads start and never changed.)
-- Look for: `shared.set put` and `shared.set taken` only between a `lock queue` and its `unlock queue`.
rl.trace{ show = { "thread", "lock", "access", "log" } }
local places = { rl.shared{ name = "place1", value = 0 }, rl.shared{ name = "place2", value = 0 } }
local queue = rl.mutex{ name = "queue" }
local items = rl.semaphore{ name = "items", value = 0 }
local room = rl.semaphore{ name = "room", value = #places }
local put = rl.shared{ name = "put", value = 0 }
local taken = rl.shared{ name = "taken", value = 0 }

local function send(item)
  room:wait()
  queue:lock()
  places[put:get() % #places + 1]:set(item)
  put:set(put:get() + 1)
  queue:unlock()
  items:signal()
end

local function receive()
  items:wait()
  queue:lock()
  local item = places[taken:get() % #places + 1]:get()
  taken:set(taken:get() + 1)
  queue:unlock()
  room:signal()
  return item
end

local function work()
  local sum, item = 0, receive()
  while item do -- `false` says that there is nothing more to do
    sum, item = sum + item, receive()
  end
  return sum
end

local first, second = rl.thread("first", work), rl.thread("second", work)
first:start()
second:start()
send(1)
send(2)
send(false)
send(false)
rl.expect(first:join() + second:join() == 3, "each item is worked on once")
--! compare: no, which worker takes which item is a race
