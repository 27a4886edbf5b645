-- Listing 2-2: a thread's entry function works inside an autorelease pool of its own. A thread that lives long should have a pool for each
-- piece of work, or what it autoreleases piles up until it ends.
-- Look for: `dealloc` of the pieces while the thread works, and that of the stray object only at its end.
local alive = 0

local function makeAutoreleased(name)
  alive = alive + 1
  return rl.object{ name = name, dealloc = function() alive = alive - 1 end }:autorelease()
end

local worker = rl.thread("worker", function()
  makeAutoreleased("stray") -- goes to the thread's own top pool
  for piece = 1, 3 do
    rl.autoreleasePool(function()
      makeAutoreleased("piece" .. piece)
      rl.work(1)
      rl.expect(alive == 2, "the stray object and this piece")
    end)
    rl.expect(alive == 1, "the piece went with its pool")
  end
end)
worker:start()
worker:join()
rl.expect(alive == 0, "the stray object went with the thread")
