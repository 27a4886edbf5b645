import Foundation
import Testing

/// What a thread leaves in a loop that it never ran, or ran no longer, is told; the trace stays as it is.
@Suite struct LeftUndoneTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  private func run(_ script: String, _ options: String...) throws -> Executable.Result {
    try rlsim.write("left.lua", script)
    return try rlsim.run(["left.lua"] + options)
  }

  /// The lines of `--explain` on it.
  private func left(_ script: String) throws -> [String] {
    try run(script, "-q", "--explain").lines.filter { $0.hasPrefix("left undone: ") }
      .map { String($0.dropFirst("left undone: ".count)) }
  }

  @Test func aNoteSaysThatNobodyRanTheLoop() throws {
    defer { rlsim.remove() }
    let result = try run("rl.currentLoop():scheduleTimer{ name = 'tick', interval = 1 }\n")
    #expect(result.code == 0)
    #expect(
      result.output == """
        rlsim-trace 1 semantics=apple seed=none
        0.000000000 main thread.start
        0.000000000 main thread.exit
        0.000000000 - end reason=returned

        """)
    #expect(
      result.errors
        == "rlsim: note: main ended, and nothing ran its loop in mode default, so this was left undone: timer tick "
        + "(due at 1.000000000) (rl.mainLoop:run() at the end of its function runs it; --explain tells all)\n")
  }

  @Test func everyKindIsToldWithTheReason() throws {
    defer { rlsim.remove() }
    let lines = try left(
      """
      local loop = rl.currentLoop()
      loop:scheduleTimer{ name = "tick", interval = 1 }
      loop:performBlock("tracking", function() end)
      rl.mainQueue:async(function() end)
      local source = rl.source{ name = "s" }
      loop:addSource(source)
      source:signal()
      local port = rl.port{ name = "p" }
      loop:addPort(port)
      port:send("hello")
      rl.mainThread:perform(function() end, { name = "f" })
      rl.performAfterDelay(2, function() end)
      rl.mainQueue:after(3, function() end)
      """)
    #expect(
      lines == [
        "perform f (left.lua:11): nothing ran main's loop in a common mode",
        "timer tick (due at 1.000000000): nothing ran main's loop in mode default",
        "the delayed perform perform1 (due at 2.000000000): nothing ran main's loop in mode default",
        "signalled source s (left.lua:7): nothing ran main's loop in mode default",
        "a message to port p: nothing ran main's loop in mode default",
        "a block (left.lua:3): nothing ran main's loop in mode tracking",
        "a block of the main queue (left.lua:4): nothing ran main's loop in a common mode",
        "a delayed block of the main queue (left.lua:13): nothing ran main's loop in a common mode",
      ])
  }

  @Test func aLoopThatWasRunGivesOtherReasons() throws {
    defer { rlsim.remove() }
    let script = """
      local loop = rl.currentLoop()
      loop:scheduleTimer{ name = "late", interval = 9 }
      loop:scheduleTimer{ name = "often", interval = 0.1 }
      loop:runInMode("default", 1)
      loop:scheduleTimer{ name = "missed", interval = 1 }
      loop:performBlock(function() end)
      rl.sleep(2)
      """
    #expect(
      try left(script) == [
        "timer missed (due at 2.000000000): when it was due, nothing ran main's loop in mode default",
        "timer late (due at 9.000000000): its thread had ended by then",
        "a block (left.lua:6): no pass of main's loop in mode default came after it",
      ])
    // Whoever runs a loop knows what a loop is for.
    #expect(try run(script).errors == "")
  }

  @Test func aWorkerIsToldToo() throws {
    defer { rlsim.remove() }
    let script = """
      local worker = rl.thread("worker", function()
        rl.currentLoop():scheduleTimer{ name = "tick", interval = 1 }
      end)
      worker:start()
      worker:join()
      """
    #expect(try left(script) == ["timer tick (due at 1.000000000): nothing ran worker's loop in mode default"])
    #expect(try run(script).errors.hasPrefix("rlsim: note: worker ended, and nothing ran its loop in mode default, "))
  }

  @Test(arguments: [
    "local loop = rl.currentLoop() loop:scheduleTimer{ interval = 1 } loop:runInMode('default', 3)",
    "rl.currentLoop():addSource(rl.source{})", "rl.log('nothing')",
    "local t = rl.currentLoop():scheduleTimer{ interval = 1 } t:invalidate()",
    "local t = rl.currentLoop():scheduleTimer{ interval = 1 } t:fire()",
  ]) func whatIsInOrderIsNotTold(script: String) throws {
    defer { rlsim.remove() }
    #expect(try run(script).errors == "")
    #expect(try left(script) == [])
  }

  @Test func eachModeHasItsOwnAdvice() throws {
    defer { rlsim.remove() }
    let script =
      "rl.mainLoop:addTimer(rl.timer{ name = 't', after = 1 }, 'tracking')\nrl.mainLoop:runInMode('default', 2)\n"
    #expect(
      try run(script).errors
        == "rlsim: note: main ended, and nothing ran its loop in mode tracking, so this was left undone: timer t (due at "
        + "1.000000000) (rl.mainLoop:runInMode(\"tracking\") at the end of its function runs it, or in mode common any run "
        + "in a common mode; --explain tells all)\n")
    // It does what it says.
    #expect(try run(script + "rl.mainLoop:runInMode('tracking')\n").output.contains(" timer t fire=1"))
    #expect(try run(script.replacing("'tracking'", with: "'common'")).output.contains(" timer t fire=1"))
  }

  @Test func modesAndThreadsAreToldApart() throws {
    defer { rlsim.remove() }
    let modes = try run(
      "rl.mainLoop:addTimer(rl.timer{ name = 'hid', after = 1 }, 'tracking')\n"
        + "rl.mainLoop:performBlock('nomode', function() end)\n")
    #expect(modes.errors.contains("undone: timer hid (due at 1.000000000) (rl.mainLoop:runInMode(\"tracking\") "))
    #expect(modes.errors.hasSuffix("; --explain tells all and 1 more of other modes or threads)\n"), "\(modes.errors)")
    let threads = try run(
      """
      rl.thread('w', function()
        rl.performAfterDelay(5, function() end, { name = 'later' })
        rl.mainThread:perform(function() end, { name = 'tomain' })
      end):start()
      rl.sleep(1)
      """)
    #expect(
      threads.errors
        == "rlsim: note: w ended, and nothing ran its loop in mode default, so this was left undone: the delayed perform "
        + "later (due at 5.000000000) (rl.currentLoop():run() at the end of its function runs it; --explain tells all "
        + "and 1 more of other modes or threads)\n")
  }

  @Test(arguments: ["rl.mainLoop:runInMode('common', 2)", "rl.mainLoop:runMode('common', rl.now() + 2)"])
  func commonIsNoModeToRunIn(body: String) throws {
    defer { rlsim.remove() }
    let result = try run("rl.mainLoop:scheduleTimer{ name = 't', after = 1 }\n\(body)\n")
    #expect(
      result.errors.contains(
        "(the run in mode common at left.lua:2 finished at once, as common stands for several modes and is none to run "
          + "in; rl.mainLoop:run() "), "\(result.errors)")
  }

  @Test func manyAreCounted() throws {
    defer { rlsim.remove() }
    let result = try run("for i = 1, 5000 do rl.currentLoop():scheduleTimer{ name = 't' .. i, interval = i } end\n")
    #expect(result.errors.contains("undone: timer t1 (due at 1.000000000) and 4999 more ("), "\(result.errors)")
  }
}
