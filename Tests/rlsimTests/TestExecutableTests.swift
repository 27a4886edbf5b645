import Foundation
import Testing

/// `rlsim test` as a program.
@Suite struct TestExecutableTests {
  private let rlsim: Executable

  init() throws {
    rlsim = try Executable()
    try rlsim.write("scripts/b.lua", "rl.log('b')\n")
    try rlsim.write("scripts/a/one.lua", "--! rlsim: --semantics linux -- x 'y z'\nrl.log(rl.args[2])\n")
    try rlsim.write("scripts/a/wrong.lua", "--! rlsim: --hide thread\nerror('boom')\n")
  }

  private func update() throws {
    let result = try rlsim("test", "--update")
    #expect(result.code == 0)
    #expect(
      result.lines.dropLast() == [
        "updated golden/a/one.trace", "updated golden/a/wrong.trace (the run ends with exit code 3)",
        "updated golden/b.trace", "3 passed, 0 failed",
      ])
  }

  @Test func updateWritesWhatDiffersAndThenAllPasses() throws {
    defer { rlsim.remove() }
    try update()
    #expect(try rlsim.read("golden/a/one.trace").hasPrefix("rlsim-trace 1 semantics=linux seed=none\n"))
    #expect(try rlsim.read("golden/a/one.trace").contains(" main log y z\n"))
    #expect(try rlsim.read("golden/a/wrong.trace").hasSuffix("- end reason=fault detail=error exit=3\n"))
    #expect(try rlsim.read("golden/b.trace") == (try rlsim("scripts/b.lua").output))
    let again = try rlsim("test", "--update")
    #expect(again.output == "3 passed, 0 failed\n")
    let plain = try rlsim("test")
    #expect(plain.code == 0 && plain.output == "3 passed, 0 failed\n" && plain.errors == "")
  }

  @Test func aPathMayGoUpAndDown() throws {
    defer { rlsim.remove() }
    try update()
    #expect(try rlsim("test", "scripts/../scripts/b.lua").output == "1 passed, 0 failed\n")
    let listed = try rlsim("test", "--list", "scripts/a/../../scripts/a").lines
    #expect(listed == ["scripts/a/one.lua", "scripts/a/wrong.lua", ""])
  }

  @Test func aNameThatIsNoTextIsTold() throws {
    defer { rlsim.remove() }
    let result = try rlsim.shell("touch \"$(printf 'scripts/\\377.lua')\"; \"$RLSIM\" test")
    #expect(result.code == 2)
    #expect(result.errors == "rlsim: cannot read 'scripts': the name of '\u{FFFD}.lua' in it is not UTF-8\n")
  }

  @Test func changedLineEndsAreToldAsSuch() throws {
    defer { rlsim.remove() }
    try update()
    try rlsim.write("golden/b.trace", try rlsim.read("golden/b.trace").replacingOccurrences(of: "\n", with: "\r\n"))
    let result = try rlsim("test", "b")
    #expect(result.code == 1)
    #expect(result.output.contains("the golden file's lines end in CRLF, those of a trace in LF; the rest is the same"))
    #expect(!result.output.contains("@@"))
  }

  @Test func whatScriptsRequireIsNoTest() throws {
    defer { rlsim.remove() }
    try rlsim.write("scripts/a/_words.lua", "return { hello = 'hello' }\n")
    try rlsim.write("scripts/a/_lib/more.lua", "return 1\n")
    try rlsim.write("scripts/a/uses.lua", "rl.log(require('_words').hello)\n")
    #expect(
      try rlsim("test", "--list", "a").lines == ["a/one", "a/uses", "a/wrong"].map { "scripts/\($0).lua" } + [""])
    #expect(try rlsim("scripts/a/uses.lua").output.contains(" log hello\n"))
    let named = try rlsim("test", "--update", "scripts/a/_words.lua")
    #expect(named.code == 2)
    #expect(
      named.errors == "rlsim: 'scripts/a/_words.lua' is there for scripts to require, and no test: a part of its path "
        + "starts with _\n")
  }

  @Test func whatSeveralDirectoriesShareIsFoundAboveThem() throws {
    defer { rlsim.remove() }
    try rlsim.write("scripts/_shared/words.lua", "return { hello = 'from above', place = ... }\n")
    try rlsim.write("scripts/a/_near.lua", "return 'near'\n")
    try rlsim.write("scripts/_near.lua", "return 'far'\n")
    try rlsim.write("_outside.lua", "return 1\n")
    let script = "local w = require('_shared.words')\nrl.log(w.hello, (require('_near')))\n"
    for path in ["scripts/a/x.lua", "scripts/a/b/x.lua", "scripts/x.lua"] {
      try rlsim.write(path, script)
      // From wherever it is started.
      let here = try rlsim(path)
      #expect(here.code == 0, "\(here.errors)")
      #expect(here.output.contains(" log from above \(path == "scripts/x.lua" ? "far" : "near")\n"))
      let there = try rlsim.shell("cd \(path.split(separator: "/").dropLast().joined(separator: "/")) && $RLSIM x.lua")
      #expect(there.output == here.output)
    }
    // Not beyond the folder that is named scripts; and the message says where it was looked for, wherever that is.
    try rlsim.write("scripts/a/b/missing.lua", "rl.log(pcall(require, '_outside'))\n")
    #expect(
      try rlsim("scripts/a/b/missing.lua").output.contains(
        "module '_outside' not found: no file '_outside.lua' and no file '_outside/init.lua' in scripts/a/b, scripts/a, "
          + "scripts\n"))
    try rlsim.write("scripts/missing.lua", "rl.log(pcall(require, '_outside'))\n")
    #expect(
      try rlsim("scripts/missing.lua").output.contains(
        "no file '_outside.lua' and no file '_outside/init.lua' in the script's folder\n"))
    // Without such a folder it is looked for beside and below alone.
    try rlsim.write("other/_words.lua", "return 1\n")
    try rlsim.write("other/a/x.lua", "require('_words')\n")
    #expect(try rlsim("other/a/x.lua").code == 3)
    // An error in it names its file as seen from the script.
    try rlsim.write("scripts/_broken.lua", "error('in here')\n")
    try rlsim.write("scripts/a/y.lua", "require('_broken')\n")
    #expect(try rlsim("scripts/a/y.lua").errors.contains("../_broken.lua:1: in here"))
  }

  @Test func nothingToRunSaysWhereItLooked() throws {
    defer { rlsim.remove() }
    let result = try rlsim("test", "--scripts", "other")
    #expect(result.code == 5)
    #expect(
      result.errors
        == "rlsim: nothing to run: there is no directory 'other' (--scripts DIR says where the scripts are)\n")
    #expect(try rlsim("test", "--scripts", "other", "--filter", "x").errors == result.errors)
  }

  @Test(arguments: [
    ("a", "did you mean --filter 'a/*' (2 scripts)"), ("ne", "did you mean --filter '*ne*' (1 script)?"),
    ("a/wrng", "did you mean --filter a/wrong (1 script)?"), ("wrogn.lua", "did you mean --filter wrong (1 script)?"),
    ("on", "did you mean --filter '*on*' (2 scripts)?"),
    ("zzz", "('rlsim test --list' tells the names, such as 'a/one')"),
  ]) func aFilterThatMatchesNothingIsToldWithOnesThatWould(filter: String, words: String) throws {
    defer { rlsim.remove() }
    let result = try rlsim("test", "--filter", filter)
    #expect(result.code == 5)
    #expect(result.errors.hasPrefix("rlsim: nothing to run: no script's name matches --filter '\(filter)'"))
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  /// In CI no new trace is written, and so none is named.
  @Test func theDiffNamesWhatIsThere() throws {
    defer { rlsim.remove() }
    try update()
    try rlsim.write("scripts/b.lua", "rl.log('other')\n")
    let inCI = try rlsim.shell("$RLSIM test b", environment: ["CI": "1"])
    #expect(inCI.output.contains("--- golden/b.trace\n+++ (new trace)\n"))
    #expect(!rlsim.exists("golden/b.trace.new"))
    #expect(try rlsim("test", "b").output.contains("--- golden/b.trace\n+++ golden/b.trace.new\n"))
    #expect(rlsim.exists("golden/b.trace.new"))
  }

  @Test func aMissingGoldenFileFailsAndLeavesTheTrace() throws {
    defer { rlsim.remove() }
    let result = try rlsim("test", "scripts/b.lua")
    #expect(result.code == 1)
    #expect(result.output.contains("no golden file 'golden/b.trace'"))
    #expect(result.output.contains("\nrepeat with: \(Executable.path) test scripts/b.lua\n"))
    #expect(result.output.contains("\naccept with: \(Executable.path) test --update scripts/b.lua\n"))
    #expect(result.output.hasSuffix("\n0 passed, 1 failed\n"))
    #expect(rlsim.exists("golden/b.trace.new"))
    #expect(!rlsim.exists("golden/b.trace"))
  }

  @Test func aMismatchIsToldWithDiffAndTheNewTraceGoesAwayWhenItPasses() throws {
    defer { rlsim.remove() }
    try update()
    let golden = try rlsim.read("golden/b.trace")
    try rlsim.write("golden/b.trace", golden.replacingOccurrences(of: "log b", with: "log c"))
    let result = try rlsim("test")
    #expect(result.code == 1)
    #expect(
      result.output.contains(
        "first difference in line 3: expected 'log c' on main at 0.000000000, got 'log b' on main at 0.000000000"))
    #expect(result.output.contains("\n--- golden/b.trace\n+++ golden/b.trace.new\n@@ "))
    #expect(result.output.contains("\n-0.000000000 main log c\n+0.000000000 main log b\n"))
    #expect(result.output.hasSuffix("\n2 passed, 1 failed\n"))
    #expect(try rlsim.read("golden/b.trace.new") == golden)
    try rlsim.write("golden/b.trace", golden)
    #expect(try rlsim("test").code == 0)
    #expect(!rlsim.exists("golden/b.trace.new"))
  }

  @Test func nothingIsWrittenInCI() throws {
    defer { rlsim.remove() }
    let result = try rlsim("test", environment: ["CI": "true"])
    #expect(result.code == 1)
    #expect(!rlsim.exists("golden"))
    #expect(try rlsim("test", "--update", environment: ["CI": "true"]).code == 0)
    #expect(rlsim.exists("golden/b.trace"))
  }

  @Test func aWrongExitCodeIsADifference() throws {
    defer { rlsim.remove() }
    try update()
    try rlsim.write(
      "golden/a/wrong.trace", try rlsim.read("golden/a/wrong.trace").replacingOccurrences(of: " exit=3", with: ""))
    let result = try rlsim("test", "a")
    #expect(result.code == 1)
    #expect(result.output.contains("exit=3"))
    #expect(result.output.contains("rlsim: wrong.lua:2: boom"))
  }

  @Test func scriptsThatCannotRunFailAndAreNeverAccepted() throws {
    defer { rlsim.remove() }
    try rlsim.write("scripts/c.lua", "local = 1\n")
    try rlsim.write("scripts/d.lua", "--! rlsim: --sed 1\n")
    let result = try rlsim("test", "--update", "--filter", "[cd]")
    #expect(result.code == 1)
    #expect(result.output.contains("rlsim: c.lua:1: "))
    #expect(result.output.contains("unknown option '--sed'; did you mean '--seed'?"))
    #expect(result.output.hasSuffix("0 passed, 2 failed\n"))
    #expect(!rlsim.exists("golden/c.trace") && !rlsim.exists("golden/d.trace"))
  }

  @Test func orphansAreReportedWhenAllIsTested() throws {
    defer { rlsim.remove() }
    try update()
    try rlsim.write("golden/a/gone.trace", "")
    let result = try rlsim("test")
    #expect(result.code == 1)
    #expect(result.output.contains("golden file without a script: golden/a/gone.trace"))
    #expect(result.output.hasSuffix("\n3 passed, 1 failed\n"))
    #expect(try rlsim("test", "--filter", "*").code == 0)
    #expect(try rlsim("test", "scripts").code == 0)
  }

  @Test func aSearchWithoutAnEndIsRefused() throws {
    defer { rlsim.remove() }
    try rlsim.write("scripts/a.lua", "--! rlsim: --explore --strategy random\nrl.log(1)\n")
    let result = try rlsim("test", "--update")
    #expect(result.code == 1 || result.code == 2)
    #expect((result.output + result.errors).contains("the orders it finds need --schedules N"))
  }

  @Test func choosingTests() throws {
    defer { rlsim.remove() }
    func list(_ arguments: String...) throws -> [String] {
      try rlsim.shell("\"$RLSIM\" test --list \(arguments.joined(separator: " "))").lines.dropLast()
    }
    #expect(try list() == ["scripts/a/one.lua", "scripts/a/wrong.lua", "scripts/b.lua"])
    #expect(try list("--filter 'a/*'") == ["scripts/a/one.lua", "scripts/a/wrong.lua"])
    #expect(try list("--filter b", "--filter one.lua") == ["scripts/a/one.lua", "scripts/b.lua"])
    #expect(try list("scripts/b.lua a") == ["scripts/a/one.lua", "scripts/a/wrong.lua", "scripts/b.lua"])
    #expect(try list("./scripts//a/") == ["scripts/a/one.lua", "scripts/a/wrong.lua"])
    #expect(try list("\"$PWD/scripts/b.lua\"") == ["scripts/b.lua"])
    let none = try rlsim("test", "--filter", "zz")
    #expect(none.code == 5 && none.errors.hasPrefix("rlsim: nothing to run: no script's name matches --filter 'zz'"))
    // As of a variable that is not set: not all tests.
    let nameless = try rlsim("test", "")
    #expect(nameless.code == 2 && nameless.errors == "rlsim: cannot read '': No such file or directory\n")
    #expect(try rlsim("test", "--filter", "zz", "--allow-empty").code == 0)
    #expect(try rlsim("test", "--scripts", "empty").code == 5)
    let missing = try rlsim("test", "zz.lua")
    #expect(missing.code == 2 && missing.errors == "rlsim: cannot read 'zz.lua': No such file or directory\n")
  }

  @Test func otherDirectories() throws {
    defer { rlsim.remove() }
    try rlsim.write("s/x.lua", "rl.log(1)\n")
    #expect(
      try rlsim("test", "--scripts", "s", "--golden", "g/h").output.contains("--scripts s --golden g/h s/x.lua\n"))
    #expect(try rlsim("test", "--scripts", "s", "--golden", "g/h", "-u").code == 0)
    #expect(rlsim.exists("g/h/x.trace"))
  }

  @Test func failFastStopsAtTheFirst() throws {
    defer { rlsim.remove() }
    for jobs in ["1", "4"] {
      let result = try rlsim("test", "--fail-fast", "--jobs", jobs)
      #expect(result.code == 1)
      #expect(result.lines.filter { $0.hasPrefix("FAILED ") } == ["FAILED a/one"])
      #expect(result.output.hasSuffix("0 passed, 1 failed\n"))
    }
  }

  @Test func reportsComeInTheSameOrderWhateverTheJobs() throws {
    defer { rlsim.remove() }
    for number in 0..<20 {
      try rlsim.write("scripts/n\(number).lua", "for i = 1, \(20 - number) * 500 do rl.log(i) end\n")
    }
    let one = try rlsim("test", "--jobs", "1").output
    #expect(try rlsim("test", "--jobs", "8").output == one)
  }

  @Test func tap() throws {
    defer { rlsim.remove() }
    try update()
    try rlsim.write("golden/b.trace", "")
    let result = try rlsim("test", "--format", "tap")
    #expect(result.lines.prefix(5) == ["TAP version 14", "1..3", "ok 1 - a/one", "ok 2 - a/wrong", "not ok 3 - b"])
    #expect(result.lines.dropLast().last == "# 2 passed, 1 failed")
  }

  /// YAML ends a block at a line that is not indented.
  @Test func everyLineOfATAPFailureIsIndented() throws {
    defer { rlsim.remove() }
    try update()
    try rlsim.write("golden/b.trace", String(try rlsim.read("golden/b.trace").dropLast()) + "\u{85}\r")
    let lines = try rlsim("test", "--format", "tap", "b").lines
    let start = try #require(lines.firstIndex(of: "  ---"))
    let end = try #require(lines.firstIndex(of: "  ..."))
    #expect(lines[start..<end].allSatisfy { $0.hasPrefix("  ") })
    #expect(lines[start..<end].contains("    \\ No newline at end of file"))
    #expect(!lines.joined().contains("\u{85}"))
  }

  @Test func junit() throws {
    defer { rlsim.remove() }
    try update()
    try rlsim.write("golden/b.trace", "<&>\n")
    let result = try rlsim("test", "--format", "junit")
    #expect(result.output.contains("<testsuite name=\"rlsim\" tests=\"3\" failures=\"1\" errors=\"0\">"))
    #expect(result.output.contains("<testcase classname=\"a\" name=\"one\" file=\"scripts/a/one.lua\"/>"))
    #expect(result.output.contains("-&lt;&amp;&gt;\n"))
    #expect(result.errors == "2 passed, 1 failed\n")
  }

  @Test func github() throws {
    defer { rlsim.remove() }
    let result = try rlsim("test", "--format", "github", "b")
    #expect(result.lines.first == "::error file=scripts/b.lua,title=rlsim test%3A b::no golden file 'golden/b.trace'")
    #expect(result.output.hasSuffix("\n0 passed, 1 failed\n"))
  }

  /// A runner carries out lines that start with `::`.
  @Test func noScriptGivesGitHubCommands() throws {
    defer { rlsim.remove() }
    try rlsim.write("scripts/b.lua", "error('rlsim-1\\n::warning::injected\\n::rlsim-1::\\n::error::too', 0)\n")
    let lines = try rlsim("test", "--format", "github", "b").lines
    #expect(lines[0].hasPrefix("::error file=scripts/b.lua,"))
    #expect(lines[1].hasPrefix("::stop-commands::"))
    let word = lines[1].dropFirst("::stop-commands::".count)
    #expect(word != "rlsim-1")
    let end = try #require(lines.firstIndex(of: "::\(word)::"))
    #expect(lines[1..<end].contains("::warning::injected"))
    #expect(lines[(end + 1)...] == ["0 passed, 1 failed", ""])
  }
}
