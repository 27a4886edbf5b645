-- So many threads that add to one cell, each so often: no two of their interleavings are the same trace.
-- rlsim explore Benchmarks/explore.lua -- THREADS ADDITIONS
local x = rl.atomic{ name = "x", value = 0 }
local additions = tonumber(rl.args[2] or 7)
local function body() for _ = 1, additions do x:add(1) end end
local threads = {}
for i = 1, tonumber(rl.args[1] or 2) do threads[i] = rl.thread("t" .. i, body) end
for i = 1, #threads do threads[i]:start() end
for i = 1, #threads do threads[i]:join() end
