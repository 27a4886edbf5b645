-- What was asked for with performAfterDelay can be cancelled: by target, function and argument, or all that was asked for one target.
-- Look for: of the six requests only three are carried out; the cancelled ones leave no line.
local log = {}
local view, model = { name = "view" }, { name = "model" } -- two targets

local function redraw(part) log[#log + 1] = ("redraw %s@%g"):format(part, rl.now()) end
local function save(part) log[#log + 1] = ("save %s@%g"):format(part, rl.now()) end

rl.performAfterDelay(1, redraw, { target = view, argument = "title", name = "redrawTitle" })
rl.performAfterDelay(1, redraw, { target = view, argument = "body", name = "redrawBody" })
rl.performAfterDelay(1, save, { target = view, argument = "title", name = "saveTitle" })
rl.cancelPreviousPerforms(view, redraw, "title")
rl.mainLoop:runInMode("default", 2)
rl.expect(table.concat(log, ", ") == "redraw body@1, save title@1", "same target, function and argument: one is cancelled")

log = {}
rl.performAfterDelay(1, redraw, { target = view, argument = "title", name = "redrawTitle" })
rl.performAfterDelay(1, save, { target = view, argument = "body", name = "saveBody" })
rl.performAfterDelay(1, save, { target = model, argument = "model", name = "saveModel" })
rl.cancelPreviousPerforms(view)
rl.mainLoop:runInMode("default", 2)
rl.expect(table.concat(log, ", ") == "save model@3", "same target: all of them are cancelled, and nobody else's")
