-- Table 1-3, ways to pass messages between threads: distributed objects. A thread vends an object under a name; others get a proxy and call
-- its methods as if it were theirs. Below that is a request to a port of the server's run loop: so a call returns when that loop has handled
-- it, and one that no loop handles runs into its time limit.
-- Look for: `message.send account id=1` of each call, handled on the server, where the calls take turns although two threads make them; the
-- last call finds the server busy for too long.
local methods = { "deposit", "balance", "audit" }

-- The server's side: NSConnection with a root object, registered by name.
local function vend(object, name)
  local connection = rl.messagePort{ name = name, receive = function(id, argument) return object[methods[id]](object, argument) end }
  rl.currentLoop():addPort(connection)
end

-- The client's side: rootProxyForConnectionWithRegisteredName.
local function proxy(name)
  local port = rl.remotePort(name)
  local distant = {}
  for id, method in ipairs(methods) do
    distant[method] = function(_, argument)
      local result, why = port:request(id, argument, { sendTimeout = 1, receiveTimeout = 1, replyMode = "connectionReply" })
      if result == nil then error("the call of " .. method .. " failed: " .. why) end
      return result
    end
  end
  return distant
end

rl.detach("server", function()
  local account = { amount = 0 }
  function account:deposit(amount)
    local before = self.amount
    rl.work(0.1)
    self.amount = before + amount -- no lock: only this thread's loop ever gets here
    return self.amount
  end
  function account:balance() return self.amount end
  function account:audit()
    rl.work(5)
    return true
  end
  vend(account, "account")
  rl.currentLoop():run()
end)
rl.sleep(0.5)

local teller = rl.thread("teller", function() proxy("account"):deposit(50) end)
teller:start()
local account = proxy("account")
account:deposit(100)
teller:join()
rl.expect(account:balance() == 150, "no deposit is lost")

local ok, message = pcall(account.audit, account)
rl.expect(not ok and message:find("audit failed", 1, true), "a call that takes too long is given up: " .. tostring(message))
--! compare: no, message ports are not part of a live run
