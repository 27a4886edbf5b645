import Testing

@testable import RunLoopScript

/// `rl.machine`, priorities and notifications, seen through scripts.
@Suite struct MachineTests {
  @Test func oneCoreWorksForOneThreadAtATime() {
    let workers = """
      for i = 1, 2 do rl.thread("w" .. i, function() rl.work(1) rl.log(i, rl.now()) end):start() end
      """
    #expect(Run(workers).logs == ["1 1.0", "2 1.0"])
    #expect(Run("rl.machine{ cores = 2 }\n" + workers).logs == ["1 1.0", "2 1.0"])
    #expect(Run("rl.machine{ cores = 1 }\n" + workers).logs == ["1 1.0", "2 2.0"])
    #expect(Run("rl.machine{ cores = 1, quantum = 0.5 }\n" + workers).logs == ["1 1.5", "2 2.0"])
  }

  @Test func prioritiesDecideWhoGetsTheCore() {
    let run = Run(
      """
      rl.machine{ cores = 1 }
      local function worker(name, priority)
        return rl.thread{ name = name, priority = priority, joinable = true, entry = function()
          rl.work(1)
          rl.log(name, rl.now(), rl.currentThread():priority())
        end }
      end
      local low, high = worker("low", 0), worker("high", 1)
      low:start()
      high:start()
      local raised = worker("raised", 0.25)
      raised:setPriority(0.75)
      raised:start()
      """)
    #expect(run.logs == ["high 1.0 1.0", "raised 2.0 0.75", "low 3.0 0.0"])
  }

  @Test func stackSizesAreKept() {
    let run = Run(
      """
      local t = rl.thread{ entry = function() end, stackSize = 16384 }
      rl.log(t:stackSize())
      t:setStackSize(65536)
      rl.log(t:stackSize(), rl.thread{ entry = print }:stackSize(), rl.mainThread:stackSize())
      t:start()
      rl.log(pcall(t.setStackSize, t, 32768))
      """)
    #expect(
      run.logs == [
        "16384", "65536 524288 8388608",
        "false script.lua:6: thread:setStackSize: thread 'thread1' was already started at script.lua:5",
      ])
  }

  @Test func observersOfNotifications() {
    let run = Run(
      """
      local center, sender = rl.notifications, {}
      local first
      first = center:addObserver("n", nil, function(...) rl.log("any", ...) center:removeObserver(first) end)
      center:addObserver("n", sender, function(name, object, info) rl.log("sender", object == sender, info) end)
      center:addObserver("n", "text", function() rl.log("text") end)
      center:addObserver("n", rl.mainThread, function(_, thread) rl.log("thread", thread.name) end)
      center:post("n", sender, 1)
      center:post("n", {}, 2)
      center:post("n", "te" .. "xt")
      center:post("n", rl.currentThread())
      center:post("n")
      center:removeObserver(first)
      rl.log(pcall(center.post, center, "nobody", nil, {}))
      """)
    #expect(run.error == nil)
    #expect(run.logs == ["any n table: 1 1", "sender true 1", "text", "thread main", "true nil"])
  }

  @Test func whatLuaTakesForOneValueIsOneSender() {
    let run = Run(
      #"""
      local center, loop, long = rl.notifications, rl.currentLoop(), ("x"):rep(1000)
      local function f() end
      for index, sender in ipairs{ 1, 1.5, 0, math.mininteger, true, false, f, long, loop, {}, rl.timer{ fire = f } } do
        center:addObserver("n", sender, function(_, object) rl.log(index, rawequal(object, sender)) end)
      end
      center:addObserver("n", 2^63, function() rl.log("2^63") end)
      for _, sender in ipairs{ 1.0, 3 / 2, -0.0, math.mininteger * 1.0, not nil, not 1, f, ("x"):rep(500):rep(2), loop } do
        center:post("n", sender)
      end
      center:post("n", math.maxinteger)
      center:post("n", long .. "y")
      center:post("n", {})
      center:post("n", "1")
      """#)
    #expect(run.error == nil)
    #expect(run.logs == (1...9).map { "\($0) true" })
  }

  @Test func sendersThatAreStillAskedForAreKept() {
    let run = Run(
      """
      local center, told = rl.notifications, 0
      local kept = {}
      for i = 1, 1000 do
        local sender = {}
        local token = center:addObserver("n", sender, function() told = told + 1 end)
        if i % 100 == 0 then
          kept[#kept + 1] = sender
        else
          center:removeObserver(token)
        end
      end
      collectgarbage()
      for _, sender in ipairs(kept) do center:post("n", sender) end
      rl.log(told)
      """)
    #expect(run.error == nil)
    #expect(run.logs == ["10"])
  }

  @Test func errorsInObserversReachThePost() {
    let run = Run(
      """
      rl.notifications:addObserver("n", nil, function() error("oops", 0) end)
      rl.log(pcall(rl.notifications.post, rl.notifications, "n"))
      """)
    #expect(run.logs == ["false oops"])
  }

  @Test func theSystemPostsOfThreads() {
    let run = Run(
      """
      rl.notifications:addObserver("willBecomeMultiThreaded", nil, function(name, object)
        rl.mainLoop:performBlock(function() end)
        rl.log(name, object)
      end)
      local w = rl.detach("w", function(thread, argument) rl.log(thread.name, argument) end, 5)
      rl.notifications:addObserver("threadWillExit", w, function(name, thread)
        rl.log(name, thread.name, rl.currentThread().name, thread:isExecuting(), thread:isFinished())
      end)
      rl.log(w.name)
      rl.performInBackground(function() rl.log("background") end)
      rl.sleep(1)
      rl.log(w:isFinished())
      """)
    #expect(run.error == nil)
    #expect(
      run.logs == [
        "willBecomeMultiThreaded nil", "w", "w 5", "threadWillExit w w true false", "background", "true",
      ])
  }
}
