import Testing

@testable import RunLoopScript

/// Calls that are refused, and what scripts are told.
@Suite struct APIErrorTests {
  private static let overReleased =
    "object:release: object 'o' would be released once too often: only autorelease pools hold it (autoreleased at "
    + "script.lua:1)"

  private static let commonAsCommonMode =
    "loop:addCommonMode: 'common' stands for the common modes and cannot be one of them (the library calls itself "
    + "until its stack is full); name the mode that is to be common"

  private static let functionAsCondition =
    "rl.expect: argument 1 (condition) must be a condition, got t"
    + "he function thread:isFinished itself (call it: write x:isFinished(), not x.isFinished)"

  private static let functionAsFlag =
    "loop:runInMode: argument 3 (returnAfterSourceHandled) must b"
    + "e true or false, got the function rl.now itself (call it: rl.now())"

  private static let functionAsNumber =
    "rl.sleep: argument 1 (seconds) must be a number of seconds, "
    + "got the function mutex:lock itself (call it: write x:lock(), not x.lock)"

  private static let joiningDetached =
    "thread:join: thread 'd' is detached and cannot be joined (ma"
    + "ke it with joinable = true; it was started at script.lua:1)"

  private static let detachingTwice =
    "thread:detach: thread 'd' is already detached (it was not ma"
    + "de with joinable = true; it was started at script.lua:1)"

  @Test(arguments: [
    ("rl.timer{ after = 1, fireAt = 2 }", "rl.timer: give either 'fireAt' or 'after', not both"),
    ("rl.timer{ tolerance = -1 }", "rl.timer: tolerance must not be negative, got -1"),
    ("rl.timer{ order = 1.5 }", "rl.timer: field 'order' must be an integer, got the number 1.5"),
    ("rl.timer{ name = '' }", "rl.timer: a name must not be empty"),
    ("rl.timer{}:setTolerance(-1)", "timer:setTolerance: tolerance must not be negative, got -1"),
    ("rl.port{ capacity = 0 }", "rl.port: capacity must be 1 or more, got 0"),
    ("rl.observer{ activities = {} }", "rl.observer: activities must name at least one activity"),
    (
      "rl.observer{ activities = { 'beforewait' } }",
      "rl.observer: unknown activity 'beforewait'; did you mean 'beforeWaiting'?"
    ),
    (
      "rl.mainLoop:addCommonMode('common')",
      commonAsCommonMode
    ),
    ("rl.work(-1)", "rl.work: seconds must not be negative, got -1"),
    ("rl.work(0/0)", "rl.work: argument 1 (seconds) must be a number of seconds, got NaN"),
    ("rl.work(math.huge)", "rl.work: seconds must be finite, got inf"),
    ("rl.machine{ cores = 0 }", "rl.machine: cores must be 1 or more, got 0"),
    ("rl.machine{ quantum = 0 }", "rl.machine: quantum must be more than 0, got 0"),
    ("rl.machine{} rl.machine{}", "rl.machine: the machine was already described"),
    (
      "rl.detach('d', print) rl.machine{}",
      "rl.machine: the machine must be described before a thread starts"
    ),
    (
      "local o = rl.object{ name = 'o' } o:release() o:retain()",
      "object:retain: object 'o' was deallocated at script.lua:1"
    ),
    ("rl.object{ name = 'o' }:autorelease():release()", overReleased),
    ("local p = rl.pool() p:drain() p:drain()", "pool:drain: pool 'pool1' was already drained at script.lua:1"),
    (
      "local p = rl.pool() rl.detach('d', function() p:drain() end) rl.sleep(1)",
      "pool:drain: pool 'pool1' is thread 'main's; only that thread can drain it"
    ),
    ("rl.pool('')", "rl.pool: a name must not be empty"),
    ("rl.notifications:post('')", "notifications:post: a name must not be empty"),
    (
      "rl.notifications:removeObserver(1)",
      "notifications:removeObserver: argument 1 (token) must be a token, got the number 1"
    ),
    (
      "rl.messagePort{ name = 'm' } rl.messagePort{ name = 'm' }",
      "rl.messagePort: there is a valid message port named 'm' already"
    ),
    (
      "rl.messagePort{ name = 'm' } rl.remotePort('m'):request(1, 2, { replyMode = 'common' })",
      "remotePort:request: replyMode must be one mode; 'common' stands for several"
    ),
    ("rl.mainThread:setPriority(-1)", "thread:setPriority: priority must be between 0 and 1, got -1"),
    ("rl.semantics('Aple')", "rl.semantics: unknown profile 'Aple'; did you mean 'apple'?"),
    ("rl.trace{ show = 'timers' }", "rl.trace: unknown event category 'timers'; did you mean 'timer'?"),
    ("rl.mainLoop:runInMode('Default')", "loop:runInMode: unknown mode 'Default'; did you mean 'default'?"),
    ("rl.mainLoop:runInMode('defalut')", "loop:runInMode: unknown mode 'defalut'; did you mean 'default'?"),
    (
      "rl.mainLoop:runInMode('kCFRunLoopDefaultMode')",
      "loop:runInMode: unknown mode 'kCFRunLoopDefaultMode'; did you mean 'default'?"
    ),
    (
      "rl.mainLoop:addTimer(rl.timer{}, 'NSRunLoopCommonModes')",
      "loop:addTimer: unknown mode 'NSRunLoopCommonModes'; did you mean 'common'?"
    ),
    (
      "rl.expect(rl.mainThread.isFinished)",
      functionAsCondition
    ),
    (
      "rl.expect(function() return false end, 'x')",
      "rl.expect: argument 1 (condition) must be a condition, got a function, which always counts as true (call it)"
    ),
    (
      "rl.mainLoop:runInMode('default', 1, rl.now)",
      functionAsFlag
    ),
    (
      "rl.timer{ repeats = string.rep }",
      "rl.timer: field 'repeats' must be true or false, got a function, which always counts as true (call it)"
    ),
    (
      "rl.sleep(rl.mutex{}.lock)",
      functionAsNumber
    ),
    ("rl.mainLoop:runInMode('')", "loop:runInMode: the name of a mode must not be empty"),
    ("rl.mainLoop:performBlock({}, print)", "loop:performBlock: modes must name at least one mode"),
    ("rl.thread{ entry = print, priority = 2 }", "rl.thread: priority must be between 0 and 1, got 2"),
    (
      "rl.thread{ entry = print, stackSize = 5 }",
      "rl.thread: stackSize must be a multiple of 4096, 16384 or more, got 5"
    ),
    (
      "rl.thread('t', print):setStackSize(4096)",
      "thread:setStackSize: stackSize must be a multiple of 4096, 16384 or more, got 4096"
    ),
    ("rl.mainThread:setStackSize(16384)", "thread:setStackSize: thread 'main' was already started"),
    ("rl.mainThread:start()", "thread:start: thread 'main' was already started"),
    ("rl.mainThread:join()", "thread:join: a thread cannot join itself: this is 'main'"),
    (
      "rl.detach('d', print):join()",
      joiningDetached
    ),
    (
      "rl.detach('d', print):detach()",
      detachingTwice
    ),
    (
      "rl.mainQueue:sync(print)",
      "mainQueue:sync: the main thread would wait for itself for ever (call the function, or use rl.mainQueue:async)"
    ),
  ])
  func isRefused(script: String, message: String) {
    #expect(Run(script).error == "script.lua:1: \(message)")
  }

  @Test(arguments: [
    (
      "rl.mainThread:perform(print, { waitUntilDone = true })",
      "thread:perform: there is no field 'waitUntilDone'; did you mean 'wait'? (fields: wait, modes, name, argument)"
    ),
    (
      "rl.mainThread:perform(print, { forMode = 'default' })",
      "thread:perform: there is no field 'forMode'; did you mean 'modes'? (fields: wait, modes, name, argument)"
    ),
    (
      "rl.timer{ timeInterval = 1 }",
      "rl.timer: there is no field 'timeInterval'; did you mean 'interval'? (fields: name, fireAt, after, interval, "
        + "repeats, tolerance, order, fire)"
    ),
    (
      "rl.timer{ userInfo = 1 }",
      "rl.timer: there is no field 'userInfo': its function sees the script's variables (fields: name, fireAt, after, "
        + "interval, repeats, tolerance, order, fire)"
    ),
    (
      "rl.observer{ block = print }",
      "rl.observer: there is no field 'block'; did you mean 'handler'? (fields: name, activities, repeats, order, handler)"
    ),
    (
      "rl.mainLoop:scheduledTimerWithTimeInterval_target(1)",
      "loop has no field 'scheduledTimerWithTimeInterval_target'; "
        + "did you mean 'loop:scheduleTimer'?"
    ),
    (
      "rl.mainLoop:runMode_beforeDate('default', 1)",
      "loop has no field 'runMode_beforeDate'; did you mean "
        + "'loop:runMode'?"
    ),
    ("rl.addTimer(1)", "rl has no field 'addTimer'; did you mean 'loop:addTimer'?"),
    ("rl.mainLoop:performSelector(print)", "loop has no field 'performSelector'; did you mean 'thread:perform'?"),
    (
      "rl.mainThread:performSelectorOnMainThread(print)",
      "thread has no field 'performSelectorOnMainThread'; did you "
        + "mean 'rl.performOnMainThread'?"
    ),
    ("CFRunLoopRun()", "global 'CFRunLoopRun' was never assigned; did you mean 'loop:run'?"),
    (
      "CFRunLoopRunInMode('default', 1, false)",
      "global 'CFRunLoopRunInMode' was never assigned; did you mean "
        + "'loop:runInMode'?"
    ),
    ("NSThread.alloc()", "global 'NSThread' was never assigned; did you mean 'rl.thread'?"),
    // A variable is no class: of what a script has itself, the nearest name is told.
    ("timers = {} timer()", "global 'timer' was never assigned; did you mean 'timers'?"),
  ])
  func aNameOfApplesIsToldWhatItIsHere(script: String, message: String) {
    #expect(Run(script).error == "script.lua:1: \(message)")
  }

  @Test func whatANameOfApplesIsHereIsThere() {
    let functions = Set(APITable.functions.map(\.qualifiedName))
    let constants = Set(APITable.constants.map { "rl.\($0.name)" })
    for (name, ours) in AppleNames.calls where "\(ours)" != "thread.dictionary" {
      #expect(functions.contains("\(ours)") || constants.contains("\(ours)"), "\(name): \(ours)")
    }
    let fields = Set(APITable.functions.flatMap { $0.fields ?? [] }.map { "\($0.name)" })
    for (name, ours) in AppleNames.fields where !"\(ours)".contains(" ") {
      #expect(fields.contains("\(ours)"), "\(name): \(ours)")
    }
  }

  @Test func callingAMethodOfNilSaysWhatNilMeans() {
    let meaning =
      "thread:loop gives nil while nobody has asked for it on that thread (`rl.currentLoop()` there), and after the "
      + "thread's end"
    let run = Run("local t = rl.thread('t', function() end)\nt:loop():stop()")
    #expect(run.error == "script.lua:2: attempt to index a nil value (\(meaning))")
    let port = Run("rl.portServer:lookup('p'):send(1)")
    #expect(
      port.error
        == "script.lua:1: attempt to index a nil value (portServer:lookup('p') gives nil when no valid port has the name)"
    )
    // A pcall catches it, too; and nil of anything else is not explained.
    let caught = Run("local t = rl.thread('t', function() end)\nrl.log(pcall(function() t:loop():stop() end))")
    #expect(caught.logs == ["false script.lua:2: attempt to index a nil value (\(meaning))"])
    let other = Run("local t = rl.thread('t', function() end)\nlocal loop = t:loop()\nlocal a = {}\na.b.c()")
    #expect(other.error == "script.lua:4: attempt to index a nil value (field 'b')")
    // Raised again, it says so once, and keeps its traceback.
    let again = Run(
      "rl.mainQueue:async(function()\nlocal t = rl.thread('t', print)\nt:loop():stop() end)\nrl.mainLoop:runInMode('default', 1)"
    )
    #expect(again.error == "script.lua:3: attempt to index a nil value (\(meaning))")
  }

  @Test(arguments: [
    ("local p = rl.portServer:lookup('nobody')\np:send(1)", "local 'p'"),
    ("local a, b = 1, 2\nlocal p = rl.portServer:lookup('nobody')\nlocal c = 3\np:send(c)", "local 'p'"),
    ("local p = rl.portServer:lookup('nobody')\nlocal function f()\np:send(1) end\nf()", "upvalue 'p'"),
  ]) func aNilInAVariableIsTracedToTheCallThatGaveIt(script: String, variable: String) {
    let line = script.split(separator: "\n").firstIndex { $0.contains("lookup") }! + 1
    let error = Run(script).error ?? ""
    #expect(
      error.hasSuffix(
        ": attempt to index a nil value (\(variable)) (portServer:lookup('nobody') at script.lua:\(line) gives nil when no "
          + "valid port has the name)"), "\(error)")
  }

  @Test(arguments: [
    "local t = rl.thread('t', print)\nlocal l = t:loop()\nlocal x = nil\nx:foo()",
    "local t = rl.thread('t', print)\nlocal x = t:loop() x = {} x = {} local y = nil y:foo()",
    "local t = rl.thread('t', print)\nlocal function f() local p = t:loop() end f()\nlocal function g() local p p:foo() end g()",
  ]) func anotherNilIsNotBlamedOnIt(script: String) {
    #expect(Run(script).error?.contains("thread:loop") == false)
  }

  @Test func aNilArgumentSaysWhereItIsFrom() {
    #expect(
      Run("rl.currentLoop():addPort(rl.portServer:lookup('nobdy'))").error?.hasSuffix(
        ", got nil (portServer:lookup('nobdy') gives nil when no valid port has the name)") == true)
    #expect(Run("rl.portServer:lookup('nobdy')\nrl.currentLoop():addPort(nil)").error?.hasSuffix(", got nil") == true)
  }

  @Test func aFunctionIsCalledAsTheScriptMayHaveWrittenIt() {
    #expect(
      Run("rl.mainQueue:after(print)").error?.hasSuffix(
        "got the function print, which is rl.log, itself (call it: print())")
        == true)
  }

  @Test func aDetachedThreadSaysWhereItWasDetached() {
    let make = "local t = rl.thread('f', function() rl.sleep(1) end)\nt:start()\nt:detach()\n"
    #expect(
      Run(make + "t:join()").error
        == "script.lua:4: thread:join: thread 'f' is detached and cannot be joined (detach() was called at script.lua:3)"
    )
    #expect(
      Run(make + "t:detach()").error
        == "script.lua:4: thread:detach: thread 'f' is already detached (detach() was called at script.lua:3)")
  }

  @Test func startingTwiceSaysWhereItWasStarted() {
    let run = Run("local t = rl.thread('worker', function() end)\nt:start()\nt:start()")
    #expect(run.error == "script.lua:3: thread:start: thread 'worker' was already started at script.lua:2")
  }

  @Test func joiningTwiceSaysWhereItWasJoined() {
    let run = Run("local t = rl.thread('worker', function() end)\nt:start()\nt:join()\nt:join()")
    #expect(run.error == "script.lua:4: thread:join: thread 'worker' was already joined at script.lua:3")
  }

  @Test func aLoopRunsOnItsOwnThreadOnly() {
    let run = Run(
      """
      local loop
      rl.detach("worker", function() loop = rl.currentLoop() rl.sleep(10) end)
      rl.sleep(1)
      loop:runInMode("default", 1)
      """)
    #expect(
      run.error
        == "script.lua:4: loop:runInMode: this is worker's run loop; a thread can only run its own (use rl.currentLoop())"
    )
  }

  @Test func anExitingThreadFailsTheWaitingPerform() {
    let run = Run(
      """
      local worker = rl.thread("worker", function() rl.sleep(1) end)
      worker:start()
      rl.log(pcall(worker.perform, worker, function() end, { wait = true }))
      """)
    #expect(run.logs.count == 1)
    #expect(run.logs.first?.hasSuffix("target thread exited while waiting for the perform") == true)
  }

  @Test(arguments: ["default2", "common1", "myMode", "Tracking2x", "de"])
  func otherModeNamesAreFree(mode: String) {
    #expect(Run("rl.mainLoop:runInMode('\(mode)')").error == nil)
  }
}
