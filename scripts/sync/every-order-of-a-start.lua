--! rlsim: --explore
--! compare: no, which thread comes first is what it is about
-- Two threads both find that a worker is wanted, and start it: the one that comes second gets an error. Starting is no step of
-- its own, but who was first shows, so `rlsim explore` takes both orders.
-- Look for: two orders. In each the worker runs once, and one of the two is told that it was already started.
local wanted = rl.atomic{ name = "wanted", value = 1 }
local worker = rl.thread("worker", function() rl.log("at work") end)

local function starter(name)
  return rl.thread(name, function()
    local isLate = wanted:load() == 1 and not pcall(worker.start, worker)
    if isLate then rl.log("it was started already") end
    return isLate
  end)
end

local p, q = starter("p"), starter("q")
p:start()
q:start()
rl.expect(p:join() ~= q:join(), "one of the two is late")
worker:join()
