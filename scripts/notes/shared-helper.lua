-- What scripts of several folders share lies in a folder above them: `require` looks beside the script, and then in each
-- folder above it up to the one named `scripts`.
local worker = require "_shared.worker"

local thread = worker.start("worker")
local who
rl.sleep(1)
thread:perform(function() who = rl.currentThread().name end, { name = "work" })
rl.sleep(1)
worker.stop(thread)

rl.expect(who == "worker", "the work was not done on the helper's thread")
