-- A lock that nobody waits for, taken and given back so often, or as many calls of an empty C function.
--   rlsim run --quiet --hide all --max-instructions 100G locks.lua -- lock|call COUNT
local count = tonumber(rl.args[2] or "1000000")
if rl.args[1] == "lock" then
  local mutex = rl.mutex()
  for _ = 1, count do
    mutex:lock()
    mutex:unlock()
  end
else
  local empty = math.abs -- the function of C that comes nearest to an empty one
  for _ = 1, count do
    empty(1)
    empty(1)
  end
end
