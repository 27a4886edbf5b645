import RunLoopEngine
import Testing

@testable import rlsim

/// Everything that reads command lines: getopt has one state for the process, so one test at a time.
@Suite(.serialized) struct CommandLineTests {
  private func run(_ words: String...) throws -> RunOptions { try #require(try RunOptions.parse(words)) }

  private func message(_ words: String...) -> String {
    do {
      _ = try RunOptions.parse(words)
      return ""
    } catch {
      return error.message
    }
  }

  @Test func aScriptAloneTakesAllDefaults() throws {
    let options = try run("a.lua")
    #expect(options.script == "a.lua")
    #expect(options.arguments == [])
    #expect(options.format == .text)
    #expect(options.profile == nil && options.seed == nil && options.until == nil)
  }

  @Test func optionsStandAnywhereBeforeTheDashes() throws {
    let options = try run("--seed", "7", "a.lua", "--semantics=linux", "--", "--seed", "8", "--", "x")
    #expect(options.seed == 7)
    #expect(options.profile == .linux)
    #expect(options.arguments == ["--seed", "8", "--", "x"])
  }

  @Test func everyOptionIsRead() throws {
    let options = try run(
      "-", "--until", "1.5", "--format", "jsonl", "--output", "t", "--also", "text=x=y", "--show", "timer,run",
      "--hide",
      "log", "--hide", "run", "--align", "--color=never", "--explain", "--quiet", "--stats", "--max-steps", "5K",
      "--max-time", "2", "--max-memory", "3m", "--max-instructions", "1G", "--max-trace", "9")
    #expect(options.script == "-")
    #expect(options.until == 1_500_000_000)
    #expect(options.format == .jsonl)
    #expect(options.output == "t")
    #expect(options.also == [RunOptions.Also(format: .text, path: "x=y")])
    #expect(options.show == [EventCategories(.timer), EventCategories(.run)])
    #expect(options.hide == [EventCategories(.log), EventCategories(.run)])
    #expect(options.align == .always && options.color == .never)
    #expect(options.explain && options.quiet && options.stats)
    #expect(options.maximumSteps == 5000)
    #expect(options.maximumTime == 2_000_000_000)
    #expect(options.maximumMemory == 3 << 20)
    #expect(options.maximumInstructions == 1_000_000_000)
    #expect(options.maximumTraceEvents == 9)
  }

  @Test func helpIsAskedForAnywhere() throws {
    #expect(try RunOptions.parse(["a.lua", "--help"]) == nil)
    #expect(try RunOptions.parse(["-h"]) == nil)
    #expect(try RunOptions.parse(["a.lua", "--", "--help"]) != nil)
  }

  @Test func wrongCommandLinesAreToldInOneLine() {
    #expect(message() == "no script given ('rlsim run --help' tells the usage)")
    #expect(message("a.lua", "b.lua").hasPrefix("one script at a time: 'b.lua' is too many"))
    #expect(message("--sed", "1").hasPrefix("unknown option '--sed'; did you mean '--seed'?"))
    #expect(message("--wobble").hasPrefix("unknown option '--wobble' ("))
    #expect(message("a.lua", "-x").hasPrefix("unknown option '-x'"))
    #expect(message("--max=3").hasPrefix("option '--max' could be '--max-steps', "))
    #expect(message("a.lua", "--seed").hasPrefix("option '--seed' needs an argument"))
    #expect(message("--quiet=yes").hasPrefix("option '--quiet' takes no argument"))
    #expect(message("--help=yes").hasPrefix("option '--help' takes no argument"))
    #expect(message("--seed", "x") == "--seed needs a whole number from 0 to 18446744073709551615, not 'x'")
    #expect(message("--seed", "-1").hasPrefix("--seed needs a whole number"))
    #expect(message("--semantics", "win") == "--semantics knows apple, linux, guide, not 'win'")
    #expect(message("--until", "-1") == "--until needs a number of seconds, 0 or more, not '-1'")
    #expect(message("--until", "nan").hasPrefix("--until needs a number"))
    #expect(message("--until", "").hasPrefix("option '--until' needs an argument"))
    #expect(message("-o", "").hasPrefix("option '-o' needs an argument"))
    #expect(message("--scripts=").hasPrefix("option '--scripts' needs an argument"))
    #expect(message("--format", "txt").hasPrefix("--format: unknown format 'txt'; did you mean 'text'?"))
    #expect(message("--also", "text") == "--also needs FORMAT=FILE, not 'text'")
    #expect(message("--also", "text=").hasPrefix("--also needs FORMAT=FILE"))
    #expect(message("--show", "tmer") == "--show: unknown event category 'tmer'; did you mean 'timer'?")
    #expect(message("--show", "timer,").hasPrefix("--show: an event category is missing"))
    #expect(message("--color=maybe") == "--color knows auto, always, never, not 'maybe'")
    #expect(message("--max-steps", "0") == "--max-steps needs a number of at least 1, not 0")
    #expect(message("--max-memory", "1X").hasPrefix("--max-memory needs a whole number that may end in K, M, G or T"))
    #expect(message("--max-memory", "99999999999G") == "--max-memory is too large: 99999999999G")
  }

  @Test func measuredTimesAreStretchedWithinReason() throws {
    for number in ["1e-300", "1e-7", "1000001", "1e300", "inf", "nan", "0", "-1", "x"] {
      let isNumber = Double(number).map { $0.isFinite && $0 > 0 } ?? false
      let what = isNumber ? "a number from 0.000001 to 1000000" : "a number more than 0"
      #expect(throws: UsageError("--time-scale needs \(what), not '\(number)'")) {
        try LiveOptions.parse(["--time-scale", number, "a.lua"])
      }
      for option in ["time-scale", "tolerance"] {
        #expect(throws: UsageError("--\(option) needs \(what), not '\(number)'")) {
          try CompareOptions.parse(["--with", "live", "--\(option)=\(number)", "a.lua"])
        }
      }
    }
    #expect(try LiveOptions.parse(["--time-scale", "1e-6", "a.lua"])?.timeScale == 1e-6)
    #expect(try CompareOptions.parse(["--with", "live", "--tolerance", "1e6", "a.lua"])?.tolerance == 1e6)
  }

  @Test func eachCommandOfOneScriptTakesOne() {
    func message(_ words: [String], _ parse: ([String]) throws(UsageError) -> Void) -> String {
      do {
        try parse(words)
        return ""
      } catch {
        return error.message
      }
    }
    let parsers: [(String, ([String]) throws(UsageError) -> Void)] = [
      ("run", { words throws(UsageError) in _ = try RunOptions.parse(words) }),
      ("live", { words throws(UsageError) in _ = try LiveOptions.parse(words) }),
      ("compare", { words throws(UsageError) in _ = try CompareOptions.parse(words + ["--with", "live"]) }),
    ]
    for (command, parse) in parsers {
      #expect(message([], parse) == "no script given ('rlsim \(command) --help' tells the usage)")
      #expect(
        message(["a.lua", "b.lua"], parse)
          == "one script at a time: 'b.lua' is too many (arguments for a script come after --)")
      #expect(message(["a.lua"], parse) == "")
    }
  }

  @Test func testOptionsAreRead() throws {
    let options = try #require(
      try TestOptions.parse([
        "scripts/a.lua", "--update", "-j3", "--filter", "g/*", "--format", "tap", "--fail-fast", "--list",
        "--allow-empty", "--scripts", "./s//x/", "--golden", "/g/", "b",
      ]))
    #expect(options.paths == ["scripts/a.lua", "b"])
    #expect(options.update && options.failFast && options.list && options.allowEmpty)
    #expect(options.jobs == 3)
    #expect(options.filters == ["g/*"])
    #expect(options.format == .tap)
    #expect(options.scripts == "s/x")
    #expect(options.golden == "/g")
    #expect(throws: UsageError("--jobs needs a number of at least 1, not 0")) { try TestOptions.parse(["-j", "0"]) }
  }

  @Test func headersGiveOptions() throws {
    func words(_ script: String) throws -> [String] { try header(script).words }
    func header(_ script: String) throws -> ScriptHeader {
      try ScriptHeader(ScriptFile(Array(script.utf8), path: "d/s.lua"))
    }
    #expect(try words("rl.log(1)") == [])
    #expect(try words("--! rlsim: --seed 3 --semantics linux\nrl.log(1)") == ["--seed", "3", "--semantics", "linux"])
    #expect(try words("#!/usr/bin/env rlsim\n--! rlsim: -- 'a b' c\n") == ["--", "a b", "c"])
    #expect(try words("#! /usr/bin/env rlsim\n--! rlsim: --seed 3\n") == ["--seed", "3"])
    #expect(try words("\u{FEFF}# a note\n--! rlsim: --seed 3\n") == ["--seed", "3"])
    #expect(try words("--! rlsim: --seed 3\r\nrl.log(1)") == ["--seed", "3"])
    #expect(try words("--! rlsim:\n") == [])
    #expect(try words("--!strict\n--! compare: no, it waits\n--!nolint") == [])
    #expect(throws: UsageError("s.lua:2: the header line '--! rlsim: OPTIONS' has to be the script's first")) {
      try words("-- first\n--! rlsim: --seed 3\n")
    }
    #expect(throws: UsageError("s.lua:1: a header line is written '--! rlsim: OPTIONS'")) {
      try words("--! rlsim --seed 3\n")
    }
    #expect(throws: UsageError("s.lua:1: a header line is written '--! rlsim: OPTIONS'")) { try words("--!Rlsmi: -x") }
    #expect(
      throws: UsageError(
        "s.lua:2: a script that is not to be compared says so by '--! compare: no, REASON', one of which some events are"
          + " not by '--! compare: without CATEGORY,CATEGORY, REASON'")
    ) { try words("rl.log(1)\n--! compare: never\n") }
    #expect(try words("--! compare: without lock,memory, two ask at once\n") == [])
    #expect(
      throws: UsageError(
        "s.lua:1: 'locks' is none of the compared categories: thread, run, activity, observer, timer, source, port, "
          + "block, loop, lock, memory, notification, log")
    ) { try words("--! compare: without locks, two ask at once\n") }
    #expect(
      throws: UsageError(
        "s.lua:1: in the header line: '--output' does not change what happens: give it on the command line")
    ) { try words("--! rlsim: --output x\n") }
    #expect(throws: UsageError.self) { try words("--! rlsim: --sed 3\n") }
    #expect(throws: UsageError.self) { try words("--! rlsim: other.lua\n") }
    #expect(throws: UsageError.self) { try words("--! rlsim: --output x\n") }
    #expect(throws: UsageError.self) { try words("--! rlsim: --format jsonl\n") }
    #expect(throws: UsageError.self) { try words("--! rlsim: -- 'open\n") }
  }

  @Test func unknownCommandsTellTheNearest() {
    #expect(Command.named("run")?.name == "run")
    #expect(Command.nearest(to: "tset") == "test")
    #expect(Command.named("tset") == nil)
  }
}
