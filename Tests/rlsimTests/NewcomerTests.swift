import Foundation
import Testing

/// What someone is told who uses the program for the first time: what was forgotten, and what was meant.
@Suite struct NewcomerTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  private func run(_ script: String, _ options: String...) throws -> Executable.Result {
    try rlsim.write("x.lua", script)
    return try rlsim.run(["x.lua"] + options)
  }

  /// The first line of the errors, without "rlsim: ".
  private func error(_ script: String) throws -> String {
    let errors = try run(script, "-q").errors
    return String(errors.prefix { $0 != "\n" }.dropFirst("rlsim: ".count))
  }

  // MARK: What is in no loop

  @Test(arguments: [
    (
      "local s = rl.source{ name = 's' }\ns:signal()",
      "source s (x.lua:1), signalled at x.lua:2, is in no loop: loop:addSource adds it"
    ),
    (
      "rl.timer{ name = 't', after = 1, fire = function() end }",
      "timer t (x.lua:1) is in no loop: loop:addTimer adds it (loop:scheduleTimer makes and adds one)"
    ),
    (
      "rl.port{ name = 'p', receive = function() end }:send(1)",
      "port p (x.lua:1) is in no loop: loop:addPort adds it"
    ),
    (
      "rl.messagePort{ name = 'm', receive = function() end }",
      "message port m (x.lua:1) is in no loop: loop:addPort adds it"
    ),
    (
      "rl.observer{ handler = function() end }\nrl.observer{ handler = function() end }",
      "observer observer1 (x.lua:1) is in no loop: loop:addObserver adds it (1 more: --explain tells all)"
    ),
  ]) func whatWasNeverAddedIsNoted(script: String, note: String) throws {
    defer { rlsim.remove() }
    let result = try run(script + "\n")
    #expect(result.code == 0)
    #expect(result.errors == "rlsim: note: \(note)\n")
  }

  @Test(arguments: [
    "rl.source{ perform = function() end }", "rl.timer{ after = 1 }", "rl.port{}:send(1)", "rl.observer{}",
    "rl.timer{ after = 1, fire = function() end }:fire()", "rl.timer{ after = 1, fire = function() end }:invalidate()",
    "local s = rl.source{} s:signal() s:invalidate()",
    "local s = rl.source{} rl.mainLoop:addSource(s) rl.mainLoop:removeSource(s) s:signal()",
    "local o = rl.observer{ handler = function() end } rl.mainLoop:addObserver(o) rl.mainLoop:removeObserver(o)",
    "rl.timer{ after = 1, fire = function() end } error('no')",
  ]) func whatIsMeantSoIsNotNoted(script: String) throws {
    defer { rlsim.remove() }
    #expect(try run(script).errors.contains("note:") == false)
  }

  @Test func aRunThatIsStuckSaysWhichSourceIsInNoLoop() throws {
    defer { rlsim.remove() }
    let script = """
      local s = rl.source{ name = "s", perform = function() done:signal() end }
      done = rl.semaphore{}
      s:signal()
      done:wait()
      """
    let result = try run(script)
    #expect(result.code == 1)
    #expect(
      result.errors.hasPrefix(
        "rlsim: note: source s (x.lua:1), signalled at x.lua:3, is in no loop: loop:addSource adds it\n"))
    #expect(
      try run(script, "-q", "--explain").lines.contains(
        "left undone: source s (x.lua:1), signalled at x.lua:3: it is in no loop"))
  }

  @Test func aRunThatIsStuckSaysWhichModeNobodyRuns() throws {
    defer { rlsim.remove() }
    let script = """
      local done = rl.semaphore{}
      local s = rl.source{ name = "s", perform = function() done:signal() end }
      rl.detach("worker", function()
        rl.currentLoop():addSource(s, "tracking")
        rl.currentLoop():addPort(rl.port{})
        rl.currentLoop():run()
      end)
      rl.sleep(1)
      s:signal()
      done:wait()
      """
    let result = try run(script)
    #expect(result.code == 1)
    #expect(
      result.errors.hasPrefix(
        "rlsim: note: worker waits in mode default, and nothing ran its loop in mode tracking, so this was left undone: "
          + "signalled source s (x.lua:9) (what is in mode common takes part in any common mode; --explain tells all)\n"
      ),
      "\(result.errors)")
    #expect(
      try run(script, "-q", "--explain").lines.contains(
        "left undone: signalled source s (x.lua:9): worker waits in mode default, and not in mode tracking"))
  }

  // MARK: What was meant

  @Test(arguments: [
    ("rl:sleep(1)", "rl.sleep: call it with '.' on rl, not with ':'"),
    ("rl:log('x')", "rl.log: call it with '.' on rl, not with ':'"),
    ("rl:timer{}", "rl.timer: call it with '.' on rl, not with ':'"),
    (
      "rl.currentLoop:run()",
      "attempt to index a function value (field 'currentLoop') (call it: rl.currentLoop())"
    ),
    (
      "rl.mainThread.loop:run()",
      "attempt to index a function value (field 'loop') (call it: write x:loop(), not x.loop)"
    ),
    (
      "rl.mainLoop:runInMode('commmon')",
      "loop:runInMode: unknown mode 'commmon'; if 'common' is meant, that stands for several modes and is none to run in: "
        + "run in one of them, as 'default'"
    ),
    (
      "rl.mainLoop:addSource(rl.source{}, 'commmon')",
      "loop:addSource: unknown mode 'commmon'; did you mean 'common'?"
    ),
    (
      "rl.performAfterDelay(function() end, 1)",
      "rl.performAfterDelay: argument 1 (seconds) must be a number of seconds, got a function (the order is: seconds, fn)"
    ),
    (
      "rl.mainLoop:performBlock(function() end, 'default')",
      "loop:performBlock: argument 1 (modes) must be the name of a mode or a list of names, got a function (the order is: "
        + "modes, fn)"
    ),
    (
      "rl.notifications:addObserver('x', function() end)",
      "notifications:addObserver: argument 3 (fn) must be a function, got nil (the order is: name, object or nil, fn)"
    ),
    (
      "rl.mainThread:perform(print, { modes = { 'default', x = 1, a = 2 } })",
      "thread:perform: field 'modes' must be the name of a mode or a list of names, got a list with a field 'a' in it"
    ),
    (
      "rl.trace{ show = { 'timer', [3] = 'run' } }",
      "rl.trace: field 'show' must be a list of event categories, got a list with another key in it"
    ),
  ]) func aMistakeIsToldWithWhatIsRight(script: String, message: String) throws {
    defer { rlsim.remove() }
    #expect(try error(script) == "x.lua:1: \(message)")
  }

  @Test func rlItselfMayBeLogged() throws {
    defer { rlsim.remove() }
    #expect(try run("rl.log(rl, 1)").code == 0)
  }

  @Test func aHintIsSaidOnceHoweverOftenAnErrorIsCaught() throws {
    defer { rlsim.remove() }
    let script = """
      local ok, e = pcall(function() rl.currentLoop:run() end)
      ok, e = pcall(error, e, 0)
      ok, e = pcall(error, e, 0)
      rl.log(e)
      """
    #expect(
      try run(script, "--show", "log").lines[1]
        == "0.000000000 main log x.lua:1: attempt to index a function value (field 'currentLoop') (call it: "
        + "rl.currentLoop())")
  }

  // MARK: The command line

  @Test func commandsSayWhatIsNear() throws {
    defer { rlsim.remove() }
    try rlsim.write("p/a.lua", "")
    try rlsim.write("scripts/a.lua", "rl.expect(false, 'no')\n")
    #expect(try rlsim("p/a").errors == "rlsim: cannot read 'p/a': No such file or directory; did you mean 'p/a.lua'?\n")
    #expect(try rlsim("-v").errors == "rlsim: unknown option '-v'; did you mean '-V' (--version)?\n")
    #expect(
      try rlsim("compare", "p/a.lua", "live").errors == "rlsim: 'live' is no script; did you mean '--with live'?\n")
    #expect(
      try rlsim.shell("cd scripts && $RLSIM test").errors.contains("; run it one level above '"))
    let test = try rlsim("test", "a")
    #expect(test.output.contains("no golden file 'golden/a.trace', and the run ended with exit code 1"))
    #expect(test.output.contains("expect.fail no at=a.lua:1\n"))
  }

  @Test func whatIsNoScriptIsToldSo() throws {
    defer { rlsim.remove() }
    try rlsim.write("guide.md", "# A guide\n\nText of it.\n")
    let result = try rlsim("guide.md")
    #expect(result.code == 2)
    #expect(result.errors.contains("'guide.md' does not end in .lua: is it a Lua script?\n"), "\(result.errors)")
  }

  @Test func aRunWithoutMemoryHasATraceAllTheSame() throws {
    defer { rlsim.remove() }
    let result = try run("rl.log('x')", "--max-memory", "10")
    #expect(result.code == 4)
    #expect(
      result.output == "rlsim-trace 1 semantics=apple seed=none\n0.000000000 - end reason=limit detail=memory\n")
  }

  @Test func everyFailureSaysHowToRepeatIt() throws {
    defer { rlsim.remove() }
    try rlsim.write("x.lua", "rl.expect(false, 'no')\n")
    let live = try rlsim("live", "-q", "x.lua")
    #expect(live.code == 1)
    #expect(live.errors.hasSuffix("repeat with: \(Executable.path) live -q x.lua\n"), "\(live.errors)")
    try rlsim.write(
      "t.lua", "rl.mainLoop:scheduleTimer{ after = 1, tolerance = 1 } rl.mainLoop:runInMode('default', 3)\n")
    let profile = try rlsim("compare", "t.lua", "--with", "linux")
    #expect(profile.code == 1)
    #expect(profile.output.hasSuffix("\nrepeat with: \(Executable.path) compare t.lua --with linux\n"))
    // One that agrees has nothing to repeat.
    try rlsim.write("t.lua", "rl.log('x')\n")
    #expect(!(try rlsim("compare", "t.lua", "--with", "linux").output.contains("repeat with")))
  }
}
