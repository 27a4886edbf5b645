import Testing

@testable import RunLoopScript

/// What the script's objects do, seen through a script.
@Suite struct ObjectTests {
  private func check(_ script: String, _ logs: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let run = Run(script)
    #expect(run.error == nil, sourceLocation: sourceLocation)
    #expect(run.logs == logs, sourceLocation: sourceLocation)
  }

  @Test func timers() {
    check(
      """
      local count = 0
      local timer = rl.currentLoop():scheduleTimer{ name = "tick", interval = 0.5, fire = function(timer)
        count = count + 1
        rl.log(timer.name, rl.now(), timer:fireCount())
        if count == 3 then timer:invalidate() end
      end }
      rl.log(timer:interval(), timer:doesRepeat(), timer:nextFireDate(), rl.currentLoop():nextTimerFireDate())
      rl.log(rl.currentLoop():runInMode("default", 2))
      rl.log(timer:isValid(), timer:nextFireDate(), rl.currentLoop():nextTimerFireDate())
      """,
      [
        "0.5 true 0.5 0.5", "tick 0.5 1", "tick 1.0 2", "tick 1.5 3", "timedOut", "false 0.0 nil",
      ])
  }

  @Test func theFirstFireOfATimer() {
    let script = """
      rl.log(rl.timer{ interval = 2 }:nextFireDate(), rl.timer{ after = 1, interval = 2 }:nextFireDate(),
        rl.timer{ fireAt = 5 }:nextFireDate(), rl.timer{}:nextFireDate())
      rl.log(rl.mainLoop:scheduleTimer{ interval = 2 }:nextFireDate())
      """
    check(script, ["2.0 1.0 5.0 0.0", "2.0"])
    #expect(Run("rl.semantics('linux')\n" + script).logs == ["0.0 1.0 5.0 0.0", "2.0"])
  }

  @Test func sources() {
    check(
      """
      local loop = rl.currentLoop()
      local source = rl.source{ name = "s", perform = function(s) rl.log("perform", s.name) end,
        schedule = function(s, l, mode) rl.log("schedule", s == source, l == loop, mode) end,
        cancel = function(s, l, mode) rl.log("cancel", mode) end }
      loop:addSource(source, "mine")
      rl.log(loop:containsSource(source, "mine"), loop:containsSource(source))
      source:signal()
      rl.log(source:isSignalled(), table.concat(loop:modes(), " "))
      rl.log(loop:runInMode("mine", 0, true))
      source:invalidate()
      rl.log(source:isValid(), loop:runInMode("mine", 0, true))
      """.replacing("s == source", with: "s.name"),
      [
        "schedule s true mine", "true false", "true default mine", "perform s", "handledSource", "cancel mine",
        "false finished",
      ])
  }

  @Test func ports() {
    check(
      """
      local loop = rl.currentLoop()
      local reply = rl.port{ name = "reply" }
      local port = rl.port{ capacity = 1, receive = function(message, port)
        rl.log(message.text, port.name, port:replyPort())
      end }
      loop:addPort(port)
      rl.log(port:send({ text = "hello" }, { replyTo = reply }), port:send(2, { before = 0 }))
      rl.log(loop:runInMode("default", 1, true))
      port:invalidate()
      rl.log(port:send(3), port:isValid())
      """, ["true false", "hello port1 port reply", "handledSource", "false false"])
  }

  @Test func observers() {
    check(
      """
      local loop = rl.currentLoop()
      loop:addObserver(rl.observer{ activities = { "entry", "exit" }, handler = function(activity, observer, l)
        rl.log(activity, observer.name, l == loop, l:currentMode())
      end })
      loop:scheduleTimer{ after = 1 }
      loop:runInMode("default", 2)
      """, ["entry observer1 true default", "exit observer1 true default"])
  }

  @Test func threads() {
    check(
      """
      local worker = rl.thread("worker", function(thread) rl.sleep(1) return thread.name, nil, 3 end)
      rl.log(worker:isExecuting(), worker:isFinished(), worker:loop())
      worker:start()
      rl.log(worker:join())
      rl.log(worker:isFinished(), rl.now(), worker:isMain(), rl.currentThread():isMain())
      local exits = rl.thread{ name = "exits", joinable = true, entry = function()
        pcall(function() rl.exitThread(1, 2) end)
        rl.log("not reached")
      end }
      exits:start()
      rl.log(exits:join())
      rl.detach("detached", function(thread, ...) rl.log(thread.name, ...) end, 1, nil)
      rl.performInBackground(function(...) rl.log(select("#", ...), ...) end, "argument")
      rl.sleep(1)
      rl.log(worker:priority(), worker:stackSize(), rl.mainThread:stackSize())
      worker:setPriority(1)
      rl.log(worker:priority())
      """,
      [
        "false false nil", "worker nil 3", "true 1.0 false true", "1 2", "detached 1 nil", "1 argument",
        "0.5 524288 8388608", "1.0",
      ])
  }

  @Test("A thread may exit inside a function that Lua's C library called, where it could not wait")
  func exitingWhereAThreadCannotWait() {
    check(
      """
      local function start(entry)
        local worker = rl.thread{ name = "worker", joinable = true, entry = entry }
        worker:start()
        worker:join()
        rl.log(worker:isFinished())
      end
      local object = setmetatable({}, { __tostring = function() rl.exitThread() end })
      start(function() rl.log(pcall(rl.log, object)) rl.log("not reached") end)
      start(function() table.sort({ 2, 1 }, function() rl.exitThread() end) rl.log("not reached") end)
      start(function()
        local guard <close> = setmetatable({}, { __close = function() rl.log("closed") end })
        string.gsub("a", "a", function() rl.exitThread() end)
      end)
      rl.log(object)
      rl.log("not reached")
      """, ["true", "true", "true"])
  }

  @Test func exitingAThreadCancelsItsSources() {
    check(
      """
      local worker = rl.thread("worker", function()
        rl.currentLoop():addSource(rl.source{ cancel = function(source, loop, mode)
          rl.log("cancel", mode, rl.now())
          rl.sleep(1)
          rl.log("cancelled", rl.now())
        end })
        rl.currentLoop():performBlock(function() rl.exitThread("result") end)
        rl.currentLoop():run()
      end)
      worker:start()
      rl.log(worker:join())
      """, ["cancel default 0.0", "cancelled 1.0", "result"])
    let failing = Run(
      """
      rl.thread("worker", function()
        rl.currentLoop():addSource(rl.source{ cancel = function() error("in cancel") end })
        pcall(rl.exitThread)
      end):start()
      """)
    #expect(failing.error == "script.lua:2: in cancel")
  }

  @Test func performs() {
    check(
      """
      local worker = rl.thread("worker", function()
        rl.currentLoop():addPort(rl.port{})
        rl.currentLoop():runInMode("default", 5)
      end)
      worker:start()
      rl.sleep(1)
      worker:perform(function(...) rl.log(rl.currentThread().name, ...) end, { argument = "a", wait = true })
      rl.log("after")
      rl.performOnMainThread(function(a) rl.log("main", a) end, { argument = { 1 }, modes = "default", wait = true })
      local target, fn = {}, function(a) rl.log("delayed", a, rl.now()) end
      rl.performAfterDelay(1, fn, { target = target, argument = 1 })
      rl.performAfterDelay(1, fn, { target = target, argument = 2 })
      rl.performAfterDelay(1, fn, { target = {}, argument = 3 })
      rl.performAfterDelay(1, print, { target = target })
      rl.performAfterDelay(1, fn, { argument = 4 })
      rl.cancelPreviousPerforms(target, fn, 1)
      rl.cancelPreviousPerforms(target, print)
      rl.currentLoop():runInMode("default", 2)
      """,
      ["worker a", "after", "main table: 1", "delayed 2 2.0", "delayed 3 2.0", "delayed 4 2.0"])
  }

  @Test func blocksAndTheMainQueue() {
    check(
      """
      local loop = rl.currentLoop()
      loop:performBlock(function() rl.log("block", loop:currentMode()) end)
      loop:performBlock({ "default", "other" }, function() rl.log("two modes") end)
      rl.mainQueue:async(function() rl.log("async") end)
      rl.mainQueue:after(1, function() rl.log("after", rl.now()) end)
      rl.detach("other", function() rl.mainQueue:sync(function() rl.log("sync") end) rl.log("synced") end)
      rl.log(loop:runInMode("default", 2))
      """, ["block default", "two modes", "async", "sync", "synced", "after 1.0", "timedOut"])
  }

  @Test func foundationRuns() {
    check(
      """
      local loop = rl.currentLoop()
      rl.log(loop:runMode("empty", 1), loop:limitDate("empty"), loop:isWaiting())
      loop:scheduleTimer{ after = 1, name = "t" }
      rl.log(loop:limitDate())
      loop:acceptInput("default", 0.5)
      rl.log(rl.now())
      loop:runUntil(3)
      rl.log(rl.now(), loop:runMode("default", 4), rl.now())
      """, ["false nil false", "1.0", "0.5", "3.0 true 4.0"])
  }
}
