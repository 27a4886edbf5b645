-- Who waits for a mutex sleeps. Who waits for a spin lock asks again and again, and costs processor time: on the one processor here the
-- waiter takes every other tenth of a second from the holder, so the holder's work of one second takes about two.
-- Look for: the holder's `unlock mutex` one second after its `lock`, and its `unlock spinLock` about two seconds after.
rl.machine{ cores = 1, quantum = 0.1 }

local function holdForAWhile(lock)
  local began = rl.now()
  local holder = rl.thread("holder", function()
    lock:lock()
    rl.work(1)
    lock:unlock()
    return rl.now() - began
  end)
  local waiter = rl.thread("waiter", function()
    lock:lock()
    lock:unlock()
  end)
  holder:start()
  waiter:start()
  waiter:join()
  return holder:join()
end

local withMutex = holdForAWhile(rl.mutex{ name = "mutex" })
local withSpinLock = holdForAWhile(rl.spinLock{ name = "spinLock" })
rl.log("mutex", withMutex, "spin lock", withSpinLock)
rl.expect(withMutex == 1, "a sleeping waiter costs nothing")
rl.expect(withSpinLock > 1.5, "a spinning one takes half of the processor")
--! compare: no, it simulates a machine with one processor
