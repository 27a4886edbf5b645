import Foundation
import Testing

/// What ends a run from outside, or keeps it from beginning: Ctrl-C, SIGTERM as `timeout` and batch systems send it, limits,
/// input without an end. What was known by then is written.
@Suite struct RunEndTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  private func log(_ result: Executable.Result) -> [String] { result.lines.filter { $0.contains(" log ") } }

  @Test(arguments: [("INT", 130, "interrupted"), ("TERM", 143, "terminated")])
  func itEndsWithWhatIsKnown(signal: String, code: Int32, word: String) throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "rl.log('first')\nwhile true do rl.sleep(1) end\n")
    // A shell's background job ignores SIGINT; the program itself installs its own handler all the same.
    let result = try rlsim.shell(
      """
      "$RLSIM" a.lua --max-steps 100G --max-instructions 100G --also text=t.txt &
      until [ -e t.txt ]; do sleep 0.05; done
      kill -\(signal) $!
      wait $!
      """)
    #expect(result.code == code)
    #expect(log(result) == ["0.000000000 main log first"])
    // The shell may say, too, that a signal has ended its job.
    #expect(result.errors.hasPrefix("rlsim: \(word)\n"))
  }

  @Test func controlCIsSeenWhileTheScriptComputes() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "rl.log('first')\nwhile true do pcall(function() while true do end end) end\n")
    let result = try rlsim.shell(
      """
      "$RLSIM" a.lua --max-instructions 1000G --also text=t.txt &
      until [ -e t.txt ]; do sleep 0.05; done
      kill -INT $!
      wait $!
      """)
    #expect(result.code == 130)
    #expect(log(result) == ["0.000000000 main log first"])
    #expect(result.errors == "rlsim: interrupted\n")
  }

  /// A timer without a function never comes back to the script: the engine has to let go now and then.
  @Test(arguments: ["run -q", "run --hide all", "run --format html", "compare --with linux"])
  func controlCIsSeenInALoopThatNeedsNoScript(command: String) throws {
    defer { rlsim.remove() }
    try rlsim.write(
      "a.lua", "rl.currentLoop():addTimer(rl.timer{ interval = 0.001 })\nrl.currentLoop():run()\n")
    let limits = command.hasPrefix("run") ? "--max-steps 1000G --max-trace 1000G" : ""
    let result = try rlsim.shell(
      """
      "$RLSIM" \(command) \(limits) a.lua > out.txt &
      sleep 0.7
      kill -INT $!
      wait $!
      """)
    #expect(result.code == 130)
    #expect(!result.errors.contains("limit"))
  }

  @Test func theTraceOfALoopThatNeedsNoScriptIsLimitedToo() throws {
    defer { rlsim.remove() }
    try rlsim.write(
      "a.lua", "rl.currentLoop():addTimer(rl.timer{ interval = 0.001 })\nrl.currentLoop():run()\n")
    let result = try rlsim("--max-trace", "20000", "a.lua")
    #expect(result.code == 4)
    #expect(
      result.errors.hasPrefix(
        "rlsim: more than 20000 trace events (--max-trace; --until SECONDS ends a run that has no end)\n"))
    #expect(result.output.hasSuffix(" - end reason=limit detail=trace\n"))
    // It is looked at when events are handed over, at most 4,096 passes of six events later.
    #expect((20_000..<46_000).contains(result.lines.count))
  }

  @Test func anEndlessInputIsTold() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "rl.log('hello')\n")
    for words in ["/dev/zero", "replay a.lua @/dev/zero", "explore --merge /dev/zero"] {
      let result = try rlsim.shell("\"$RLSIM\" \(words)")
      #expect(result.code == 2)
      #expect(result.errors == "rlsim: cannot read '/dev/zero': it is longer than 256 MiB\n")
    }
  }

  @Test func aScriptFromAPipeIsReadOnce() throws {
    defer { rlsim.remove() }
    let script = "--! rlsim: --semantics linux -- x\nrl.log(rl.args[1])\n"
    try rlsim.write("a.lua", script)
    let expected = try rlsim("a.lua").output
    #expect(expected.contains("semantics=linux") && expected.contains(" log x\n"))
    #expect(try rlsim("-", input: script).output == expected)
    #expect(try rlsim.shell("mkfifo p; cat a.lua > p & \"$RLSIM\" p").output == expected)
    let compared = try rlsim("compare", "p", "--with", "apple")
    #expect(compared.code == 2)
    #expect(
      compared.errors == "rlsim: 'p' has to be run several times: 'rlsim compare' needs a script in a file\n")
  }

  @Test func usageIsToldInOneLine() throws {
    defer { rlsim.remove() }
    #expect(try rlsim("--version").output.hasPrefix("rlsim "))
    #expect(try rlsim("--help").output.contains("rlsim test"))
    #expect(try rlsim("test", "--help").output.hasPrefix("Usage: rlsim test"))
    #expect(try rlsim("help", "test").output == (try rlsim("test", "--help").output))
    #expect(try rlsim("a.lua", "--help").output.hasPrefix("Usage: rlsim run"))
    #expect(try rlsim().code == 2)
    let unknown = try rlsim("tset")
    #expect(unknown.code == 2)
    #expect(unknown.errors.hasPrefix("rlsim: unknown command or missing script 'tset'; did you mean 'test'?"))
    #expect(unknown.errors.filter { $0 == "\n" }.count == 1)
  }
}
