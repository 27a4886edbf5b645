--! rlsim: --semantics linux
-- Asked: port Q has waited longer than port P, whose first message another mode has taken meanwhile. Why is P served first?
-- Right (Linux): a mode's ports are served in the order in which they became ready there, and one whose message was taken elsewhere keeps
-- its place: when it is ready again, it stands where it stood, before Q. (On Apple's platforms it has left the row: compare with apple.)
-- Look for: `port P message=2` before `port Q` in the default mode.
-- Source: found by comparing with the library (docs/fidelity.md)
local log = {}
local function port(name)
  return rl.port{ name = name, receive = function(message) log[#log + 1] = ("%s%d"):format(name, message) end }
end

local loop = rl.mainLoop
local P, Q = port("P"), port("Q")
loop:addPort(P)
loop:addPort(P, "private")
loop:addPort(Q)
P:send(1)
Q:send(1)
loop:runInMode("private", 0)
P:send(2)
loop:runInMode("default", 1)
rl.expect(table.concat(log, " ") == "P1 P2 Q1", "P keeps its place")
