import Foundation
import Testing

/// `rlsim run` as a program.
@Suite struct RunExecutableTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  private let hello = "rl.log('hello')\n"
  private let helloTrace = """
    rlsim-trace 1 semantics=apple seed=none
    0.000000000 main thread.start
    0.000000000 main log hello
    0.000000000 main thread.exit
    0.000000000 - end reason=returned

    """

  /// A script's lines of some events.
  private func lines(_ result: Executable.Result, _ event: String) -> [String] {
    result.lines.filter { $0.split(separator: " ").dropFirst(2).first.map(String.init) == event }
  }

  @Test func theTraceGoesToStandardOutput() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", hello)
    for arguments in [["a.lua"], ["run", "a.lua"]] {
      let result = arguments.count == 1 ? try rlsim(arguments[0]) : try rlsim(arguments[0], arguments[1])
      #expect(result.code == 0)
      #expect(result.errors == "")
      #expect(result.lines.first == "rlsim-trace 1 semantics=apple seed=none")
      #expect(lines(result, "log") == ["0.000000000 main log hello"])
      #expect(result.output.hasSuffix("0.000000000 - end reason=returned\n"))
    }
  }

  @Test func standardInputIsAScript() throws {
    defer { rlsim.remove() }
    let result = try rlsim("-", "--", "x", input: "rl.log(rl.args[1])")
    #expect(result.code == 0)
    #expect(lines(result, "log") == ["0.000000000 main log x"])
    let wrong = try rlsim("-", input: "x x")
    #expect(wrong.code == 2)
    #expect(wrong.errors.hasPrefix("rlsim: stdin:1: "))
  }

  @Test func byteOrderMarkAndShebangAreNoLua() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "\u{FEFF}#!/usr/bin/env rlsim\nrl.log(debug.traceback('x'):match(':%d+:'))\n")
    #expect(lines(try rlsim("a.lua"), "log") == ["0.000000000 main log :2:"])
  }

  @Test func missingAndUnreadableScripts() throws {
    defer { rlsim.remove() }
    let missing = try rlsim("run", "nope.lua")
    #expect(missing.code == 2 && missing.output == "")
    #expect(missing.errors == "rlsim: cannot read 'nope.lua': No such file or directory\n")
    #expect(try rlsim("./").errors == "rlsim: cannot read './': Is a directory\n")
    try rlsim.write("a.lua", "\u{1B}Lua")
    let binary = try rlsim("a.lua")
    #expect(binary.code == 2)
    #expect(binary.errors == "rlsim: 'a.lua' is a compiled Lua chunk; rlsim runs the text of a script only\n")
  }

  @Test func syntaxErrorsEndWithTwo() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "rl.log(1)\nlocal = 3\n")
    let result = try rlsim("a.lua")
    #expect(result.code == 2 && result.output == "")
    #expect(result.errors.hasPrefix("rlsim: a.lua:2: "))
  }

  @Test func anErrorComesAfterTheTraceSoFarWithTracebackAndCommand() throws {
    defer { rlsim.remove() }
    try rlsim.write("my script.lua", "rl.log('before')\nlocal function f() error('boom') end\nf()\n")
    let result = try rlsim.shell("\"$RLSIM\" 'my script.lua' --seed 4 -- x 2>&1")
    #expect(result.code == 3)
    let log = try #require(result.lines.firstIndex { $0.hasSuffix(" log before") })
    let end = try #require(result.lines.firstIndex { $0.hasSuffix("- end reason=fault detail=error") })
    let message = try #require(result.lines.firstIndex { $0.hasPrefix("rlsim: ") })
    #expect(log < end && end < message)
    #expect(result.lines[message] == "rlsim: my script.lua:2: boom")
    #expect(result.output.contains("stack traceback:"))
    #expect(result.output.hasSuffix(" run 'my script.lua' --seed 4 -- x\n"))
    #expect(result.lines.dropLast().last?.hasPrefix("repeat with: ") == true)
  }

  @Test func faultsEndWithOneAndTheCommand() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "rl.expect(1 == 2, 'one is two')\nrl.log('on')\n")
    let result = try rlsim("a.lua")
    #expect(result.code == 1)
    #expect(lines(result, "expect.fail") == ["0.000000000 main expect.fail \"one is two\" at=a.lua:1"])
    #expect(lines(result, "log").count == 1)
    #expect(result.output.hasSuffix("- end reason=fault\n"))
    #expect(result.errors == "repeat with: \(Executable.path) run a.lua\n")
    let quiet = try rlsim("a.lua", "--quiet")
    #expect(quiet.code == 1)
    #expect(quiet.lines.first == "0.000000000 main expect.fail \"one is two\" at=a.lua:1")
    #expect(lines(quiet, "log") == [] && lines(quiet, "end").count == 1)
  }

  @Test func limitsEndWithFour() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "while true do rl.yield() end\n")
    let steps = try rlsim("a.lua", "--max-steps", "1K", "--quiet")
    #expect(steps.code == 4)
    #expect(steps.output.contains("- end reason=limit"))
    try rlsim.write("b.lua", "while true do end\n")
    let instructions = try rlsim("b.lua", "--max-instructions", "100K")
    #expect(instructions.code == 4)
    #expect(instructions.errors.hasPrefix("rlsim: "))
    try rlsim.write("c.lua", "while true do rl.log('x') end\n")
    #expect(try rlsim("c.lua", "--max-trace", "100", "--output", "t").code == 4)
  }

  @Test func untilEndsWell() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "while true do rl.sleep(1) rl.log(rl.now()) end\n")
    let result = try rlsim("a.lua", "--until", "2.5")
    #expect(result.code == 0)
    #expect(lines(result, "log").count == 2)
    #expect(result.output.hasSuffix("2.500000000 - end reason=until\n"))
  }

  @Test func formatsAndFiles() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", hello)
    let text = try rlsim("a.lua")
    let both = try rlsim("a.lua", "--format", "jsonl", "--also", "text=t.txt")
    #expect(both.code == 0)
    #expect(both.lines.first?.hasPrefix("{\"trace\":\"rlsim\"") == true)
    #expect(try rlsim.read("t.txt") == text.output)
    let file = try rlsim("a.lua", "--output", "u.txt")
    #expect(file.output == "")
    #expect(try rlsim.read("u.txt") == text.output)
    let twice = try rlsim("a.lua", "--output", "x", "--also", "jsonl=x")
    #expect(twice.code == 2 && twice.errors == "rlsim: 'x' is named for two outputs\n")
    for path in ["./x", "\(rlsim.directory.path)/x"] {
      let spelled = try rlsim("a.lua", "--output", "x", "--also", "jsonl=\(path)")
      #expect(spelled.code == 2)
      #expect(
        spelled.errors == "rlsim: 'x' is named for two outputs, also as '\(path)'\n", "\(spelled.errors)")
      #expect(!rlsim.exists("x"))
    }
    // What is there already keeps what it holds; a link is another name of it.
    try rlsim.write("y", "kept")
    #expect(try rlsim.shell("ln y z; $RLSIM a.lua --output y --also jsonl=z").code == 2)
    #expect(try rlsim.read("y") == "kept")
    // A pipe takes what comes from both.
    let piped = try rlsim.shell("$RLSIM a.lua --output /dev/stdout --also text=/dev/stderr 2>&1 | cat")
    #expect(lines(piped, "log").count == 2)
    let over = try rlsim("a.lua", "--output", "a.lua")
    #expect(over.code == 2)
    #expect(try rlsim.read("a.lua") == hello)
    let nowhere = try rlsim("a.lua", "--output", "no/such/x")
    #expect(nowhere.code == 2)
    #expect(nowhere.errors == "rlsim: cannot write the trace to 'no/such/x': No such file or directory\n")
  }

  /// A program at the other end of a pipe, or of the same terminal, may have made it so.
  @Test func anOutputThatTakesNoMoreForTheMomentIsWaitedFor() throws {
    defer { rlsim.remove() }
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    var filled = 0
    let filler = [UInt8](repeating: 0x2E, count: 4096)
    while true {
      let count = write(ends[1], filler, filler.count)
      if count < 0 { break }
      filled += count
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Executable.path)
    process.arguments = ["api"]
    process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    try process.run()
    close(ends[1])
    // Time to find the pipe full.
    for _ in 0..<100 where process.isRunning { usleep(3000) }
    let output = try FileHandle(fileDescriptor: ends[0], closeOnDealloc: false).readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: output.dropFirst(filled), as: UTF8.self) == (try rlsim("api").output))
  }

  @Test func showAndHide() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", hello)
    let shown = try rlsim("a.lua", "--show", "log")
    #expect(shown.lines.dropFirst().first == "0.000000000 main log hello")
    #expect(shown.lines.count == 4)
    #expect(lines(try rlsim("a.lua", "--hide", "log"), "log") == [])
  }

  @Test func coloursAndColumns() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", hello)
    #expect(!(try rlsim("a.lua").output.contains("\u{1B}")))
    #expect(try rlsim("a.lua", "--color=always").output.contains("\u{1B}[1;37mlog\u{1B}[0m hello"))
    #expect(try rlsim("a.lua", "--align").output.contains("\n0.000000000 main   log           hello\n"))
  }

  @Test func explainAndStats() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", hello)
    let plain = try rlsim("a.lua").output
    let explained = try rlsim("a.lua", "--explain", "--stats")
    #expect(explained.output.hasPrefix(plain) && explained.output.count > plain.count)
    #expect(explained.errors.hasPrefix("events "))
    let json = try rlsim("a.lua", "--explain", "--format", "jsonl")
    #expect(json.lines.dropLast().last?.hasPrefix("{") == true)
    #expect(json.errors != "")
  }

  @Test func theNameOfTheOutputChoosesItsFormat() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", hello)
    for (name, format) in [
      ("t.svg", "svg"), ("t.html", "html"), ("t.jsonl", "jsonl"), ("t.json", "perfetto"), ("t.mmd", "mermaid"),
      ("t.trace", "text"),
    ] {
      _ = try rlsim("a.lua", "-o", name)
      #expect(try rlsim.read(name) == (try rlsim("a.lua", "--format", format).output), "\(name)")
    }
    _ = try rlsim("a.lua", "-o", "t.svg", "--format", "text")
    #expect(try rlsim.read("t.svg") == (try rlsim("a.lua").output))
  }

  @Test func quietKeepsTheFormat() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "rl.log('x')\nrl.expect(false, 'no')\n")
    let json = try rlsim("a.lua", "-q", "--format", "jsonl").lines.dropLast()
    #expect(json.count == 3 && json.allSatisfy { $0.hasPrefix("{\"t\":0,") && $0.contains("\"category\":\"fault\"") })
    let picture = try rlsim("a.lua", "-q", "--format", "svg")
    #expect(picture.code == 2)
    #expect(picture.errors == "rlsim: --quiet leaves no trace to write as svg (--output FILE gives it a place)\n")
  }

  @Test func bashCompletesValuesAndScripts() throws {
    defer { rlsim.remove() }
    func complete(_ words: String) throws -> String {
      try rlsim.shell(
        """
        "$RLSIM" completions bash > c; bash -c 'source ./c; COMP_WORDS=(\(words)); \
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rlsim; echo "${COMPREPLY[*]}"'
        """
      ).output
    }
    #expect(try complete("rlsim run --format js") == "jsonl\n")
    #expect(try complete("rlsim run --format = js") == "jsonl\n")
    #expect(try complete("rlsim run --format =").hasPrefix("text jsonl"))
    #expect(try complete("rlsim a.lua --sem") == "--semantics\n")
    #expect(try complete("rlsim a.lua --show obs") == "observer\n")
    #expect(try complete("rlsim completions z") == "zsh\n")
    // A list goes on after a comma, without what it has.
    #expect(try complete("rlsim a.lua --show timer,so") == "timer,source\n")
    #expect(try complete("rlsim run --show = timer,source,so") == "\n")
    #expect(try complete("rlsim live --hide timer,t") == "timer,thread\n")
    #expect(try complete("rlsim run --hide run,lo") == "run,loop run,lock run,log\n")
    #expect(try complete("rlsim comp") == "compare completions\n")
    // Without a command it is a run's, before the script and after it.
    #expect(try complete("rlsim --sem") == "--semantics\n")
    #expect(try complete("rlsim --format js") == "jsonl\n")
    // An argument that may be left out follows an =.
    #expect(try complete("rlsim a.lua --color = al") == "always\n")
    #expect(try complete("rlsim a.lua --color al") == "\n")
    // Files where one is wanted, and nothing for a number.
    #expect(try complete("rlsim explore --report c") == "c\n")
    #expect(try complete("rlsim explore --seed c") == "\n")
  }

  @Test func aClosedPipeEndsQuietly() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "for i = 1, 300000 do rl.log(i) end\n")
    let result = try rlsim.shell("{ \"$RLSIM\" a.lua; echo $? >&2; } | head -1")
    #expect(result.output == "rlsim-trace 1 semantics=apple seed=none\n")
    #expect(result.errors == "0\n")
  }

  #if os(Linux)
    @Test func aFullDiskIsToldOnce() throws {
      defer { rlsim.remove() }
      try rlsim.write("a.lua", hello)
      let result = try rlsim.shell("\"$RLSIM\" a.lua > /dev/full")
      #expect(result.code == 2)
      #expect(result.errors == "rlsim: cannot write the trace to standard output: No space left on device\n")
    }

    @Test(
      arguments: ["help", "run --help", "--version", "api", "completions bash", "test --list --allow-empty", "test"])
    func aFullDiskIsToldByEveryCommand(words: String) throws {
      defer { rlsim.remove() }
      try rlsim.write("scripts/a.lua", hello)
      let result = try rlsim.shell("\"$RLSIM\" \(words) > /dev/full")
      #expect(result.code == 2)
      #expect(result.errors.hasSuffix("rlsim: cannot write to standard output: No space left on device\n"))
    }
  #endif
}
