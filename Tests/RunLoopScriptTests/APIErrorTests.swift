import Testing

@testable import RunLoopScript

/// Calls that are refused, and what scripts are told.
@Suite struct APIErrorTests {
  private static let overReleased =
    "object:release: object 'o' would be released once too often: only autorelease pools hold it"

  @Test(arguments: [
    ("rl.timer{ after = 1, fireAt = 2 }", "rl.timer: give either 'fireAt' or 'after', not both"),
    ("rl.timer{ tolerance = -1 }", "rl.timer: tolerance must not be negative"),
    ("rl.timer{ order = 1.5 }", "rl.timer: field 'order' must be an integer, got the number 1.5"),
    ("rl.timer{ name = '' }", "rl.timer: a name must not be empty"),
    ("rl.timer{}:setTolerance(-1)", "timer:setTolerance: tolerance must not be negative"),
    ("rl.port{ capacity = 0 }", "rl.port: capacity must be 1 or more"),
    ("rl.observer{ activities = {} }", "rl.observer: activities must name at least one activity"),
    (
      "rl.observer{ activities = { 'beforewait' } }",
      "rl.observer: unknown activity 'beforewait'; did you mean 'beforeWaiting'?"
    ),
    ("rl.work(-1)", "rl.work: seconds must not be negative"),
    ("rl.work(0/0)", "rl.work: argument 1 (seconds) must be a number of seconds, got NaN"),
    ("rl.work(math.huge)", "rl.work: seconds must be finite"),
    ("rl.machine{ cores = 0 }", "rl.machine: cores must be 1 or more"),
    ("rl.machine{ quantum = 0 }", "rl.machine: quantum must be more than 0"),
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
    ("rl.mainThread:setPriority(-1)", "thread:setPriority: priority must be between 0 and 1"),
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
    ("rl.mainLoop:runInMode('')", "loop:runInMode: the name of a mode must not be empty"),
    ("rl.mainLoop:performBlock({}, print)", "loop:performBlock: modes must name at least one mode"),
    ("rl.thread{ entry = print, priority = 2 }", "rl.thread: priority must be between 0 and 1"),
    ("rl.thread{ entry = print, stackSize = 5 }", "rl.thread: stackSize must be a multiple of 4096, 16384 or more"),
    (
      "rl.thread('t', print):setStackSize(4096)",
      "thread:setStackSize: stackSize must be a multiple of 4096, 16384 or more"
    ),
    ("rl.mainThread:setStackSize(16384)", "thread:setStackSize: thread 'main' was already started"),
    ("rl.mainThread:start()", "thread:start: thread 'main' was already started"),
    ("rl.mainThread:join()", "thread:join: a thread cannot join itself"),
    (
      "rl.detach('d', print):join()",
      "thread:join: thread 'd' is detached and cannot be joined (make it with joinable = true)"
    ),
    ("rl.detach('d', print):detach()", "thread:detach: thread 'd' is already detached"),
    (
      "rl.mainQueue:sync(print)",
      "mainQueue:sync: the main thread would wait for itself for ever (call the function, or use rl.mainQueue:async)"
    ),
  ])
  func isRefused(script: String, message: String) {
    #expect(Run(script).error == "script.lua:1: \(message)")
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
