-- Asked: are blocks for another mode than the running one kept, and in order?
-- Right: yes. Of 1 (M), 2 (default), 3 (common) and 4 (M), a default run takes 2 and 3; a run of M takes 1 and 4, and then 5, which was
-- queued by 2: it stands behind the kept ones.
-- Look for: `block mode=`.
-- Source: CFRunLoop.c of https://github.com/swiftlang/swift-corelibs-foundation (the running of blocks)
local log = {}
local loop = rl.mainLoop
local function queue(number, mode, also)
  loop:performBlock(mode, function()
    log[#log + 1] = number
    if also then also() end
  end)
end
loop:addSource(rl.source{ name = "keepAlive" }, "default")
loop:addSource(rl.source{ name = "keepAlive" }, "M")

queue(1, "M")
queue(2, "default", function() queue(5, "M") end)
queue(3, "common")
queue(4, "M")
loop:runInMode("default", 0.2)
rl.expect(table.concat(log, " ") == "2 3", "the default run takes its own blocks")
loop:runInMode("M", 0.2)
rl.expect(table.concat(log, " ") == "2 3 1 4 5", "the others were kept, in order")
