import Foundation
import Testing

/// `rlsim explore` and `rlsim replay` as programs.
@Suite struct ExploreExecutableTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  /// The repository's root.
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let opposite = """
    local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
    local p = rl.thread("p", function() a:lock() b:lock() b:unlock() a:unlock() end)
    local q = rl.thread("q", function() b:lock() a:lock() a:unlock() b:unlock() end)
    p:start() q:start() p:join() q:join()
    """

  private static let additions = """
    local x = rl.atomic{ name = "x", value = 0 }
    local t = {}
    for i = 1, 8 do t[i] = rl.thread("t" .. i, function() x:add(1) end) end
    for i = 1, 8 do t[i]:start() end
    for i = 1, 8 do t[i]:join() end
    """

  /// The schedule that a report shows for its first finding.
  private func schedule(_ result: Executable.Result) throws -> String {
    let line = try #require(result.lines.first { $0.hasPrefix("  schedule: ") })
    return String(line.dropFirst("  schedule: ".count))
  }

  // MARK: Verdicts

  static let races: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("scripts/races").path)
    return (files ?? []).sorted()
  }()

  /// Every broken scenario fails with the kind that its comment names, every mended one holds.
  @Test(arguments: races) func racesAreFoundAndMended(name: String) throws {
    defer { rlsim.remove() }
    let path = Self.root.appendingPathComponent("scripts/races/\(name)").path
    let result = try rlsim("explore", path)
    let text = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if name.hasSuffix("-broken.lua") {
      #expect(result.code == 1, "\(result.output)")
      let mark = try #require(text.range(of: "explore` finds: ") ?? text.range(of: "-- explore` finds: "))
      let kind = text[mark.upperBound...].prefix { $0.isLetter }
      #expect(result.lines.contains(String(kind)), "\(kind): \(result.output)")
      #expect(result.output.contains("\n  replay: "))
    } else {
      #expect(result.code == 0, "\(result.output)\(result.errors)")
      #expect(result.lines.dropLast().last == "holds")
    }
  }

  @Test func everyPlantedFaultIsFound() throws {
    defer { rlsim.remove() }
    let result = try rlsim("explore", "--self-test")
    #expect(result.code == 0, "\(result.output)")
    let kinds = result.lines.dropLast().map { $0.split(separator: " ")[1] }
    #expect(
      kinds == [
        "deadlock", "lostWakeup", "stuck", "expectation", "error", "dataRace", "lockOrder", "leak", "leak", "livelock",
      ])
    #expect(!result.output.contains("NOT FOUND"))
  }

  @Test func aReplayIsTheRunThatTheReportTellsOf() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.opposite)
    let schedule = try schedule(try rlsim("explore", "a.lua"))
    let replay = try rlsim("replay", "a.lua", schedule)
    #expect(replay.code == 1)
    #expect(replay.output.contains("fault deadlock thread=p"))
    #expect(replay.output.contains(" switch p to=q"))
    #expect(try rlsim("replay", "a.lua", schedule).output == replay.output)
    try rlsim.write("schedule", schedule.map { "\($0)\n" }.joined())
    #expect(try rlsim("replay", "a.lua", "@schedule").output == replay.output)
  }

  // MARK: The script's header

  @Test func theHeaderCountsForBoth() throws {
    defer { rlsim.remove() }
    try rlsim.write(
      "a.lua",
      """
      --! rlsim: --until 3 --explore --preemptions 1 -- one
      local x = rl.atomic{ name = "x", value = 0 }
      local t = rl.thread("t", function() rl.sleep(2) x:add(1) rl.sleep(5) x:add(1) end)
      rl.expect(rl.args[1] == "one", "the argument")
      t:start()
      rl.sleep(2)
      rl.expect(x:load() == 0, "read too late")
      t:join()
      """)
    let result = try rlsim("explore", "a.lua")
    #expect(result.code == 1)
    #expect(result.lines.first == "expectation")
    #expect(result.output.contains("read too late"))
    #expect(!result.output.contains("the argument"))
    let replay = try rlsim("replay", "a.lua", try schedule(result))
    #expect(replay.output.hasSuffix("3.000000000 - end reason=fault\n"))
  }

  @Test func anUnknownOptionInTheHeaderIsRefused() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "--! rlsim: --explore --max-seconds 3\nrl.log('a')\n")
    for command in ["explore", "run", "test"] {
      let result = try rlsim(command, "a.lua", "--help").code == 0 ? try rlsim(command, "a.lua") : nil
      if command == "test" { continue }
      #expect(result?.code == 2)
      #expect(result?.errors.contains("does not decide which interleavings there are: --max-seconds 3") == true)
    }
  }

  // MARK: Bad input

  @Test func aScheduleOfAnotherScriptIsRefused() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.opposite)
    try rlsim.write("b.lua", Self.opposite + "\n-- changed")
    let result = try rlsim("explore", "--schedule-format", "named", "a.lua")
    let named = try schedule(result)
    let compact = try schedule(try rlsim("explore", "a.lua"))
    for arguments in [["b.lua", compact], ["--seed", "3", "a.lua", compact], ["a.lua", compact, "--", "x"]] {
      let result = try rlsim.run(["replay"] + arguments)
      #expect(result.code == 2)
      #expect(result.errors.contains("the schedule was made for another script, or with other options or arguments"))
    }
    // A readable one goes on as far as it can.
    #expect(try rlsim("replay", "b.lua", named).code == 1)
    try rlsim.write("c.lua", Self.opposite.replacingOccurrences(of: "q:start()", with: "p:join() q:start()"))
    let other = try rlsim("replay", "c.lua", named)
    #expect(other.errors.contains("the schedule and the script disagree from here on: step 2: q cannot go on"))
  }

  @Test func aMistypedOrTruncatedScheduleIsRefused() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.opposite)
    let schedule = try schedule(try rlsim("explore", "a.lua"))
    let cases = [
      (String(schedule.dropLast(4)), "cut short"), (String(schedule.prefix(9)), "the schedule is cut short"),
      (schedule.replacingOccurrences(of: "rls1:", with: "rls2:"), "is of version 'rls2'; this rlsim reads rls1"),
      (schedule + "!", "'!' cannot stand there"), ("hello", "this is no schedule: it does not begin with 'rls1:'"),
      ("@nothing", "there is no schedule file 'nothing'"), ("rls1-named p", "'p' is no decision of a schedule"),
    ]
    for (text, message) in cases {
      let result = try rlsim("replay", "a.lua", text)
      #expect(result.code == 2, "\(text)")
      #expect(result.errors.contains(message), "\(text): \(result.errors)")
    }
    #expect(try rlsim("replay", "a.lua").code == 2)
  }

  @Test func aScriptThatIsNotTheSameTwiceIsToldWithTheFirstDifference() throws {
    defer { rlsim.remove() }
    try rlsim.write(
      "a.lua",
      """
      local x = rl.atomic{ name = "x", value = 0 }
      local t = rl.thread("t", function() x:add(1) end)
      rl.log("begin")
      rl.log(require("number"))
      t:start() x:add(1) t:join()
      """)
    // Whoever reads the module gets another number.
    let result = try rlsim.shell(
      """
      mkfifo number.lua
      (i=1; while [ $i -lt 40 ]; do echo "return $i" > number.lua; i=$((i + 1)); done) & writer=$!
      "$RLSIM" explore --check-determinism --schedules 3 a.lua; code=$?
      kill $writer; exit $code
      """)
    #expect(result.code == 70)
    // The header, the main thread's start and the first line of the log are the same.
    #expect(
      result.errors.contains(
        "schedule 1 did not come out the same when it was run again: in two more runs line 4 of the trace is "
          + "'0.000000000 main log "))
  }

  // MARK: What has no end

  @Test func aScriptThatNeverEndsUnderSomeSchedulesIsTold() throws {
    defer { rlsim.remove() }
    try rlsim.write(
      "a.lua",
      """
      local flag, n = rl.atomic{ name = "flag", value = 0 }, rl.atomic{ name = "n", value = 0 }
      local t = rl.thread("t", function() while flag:load() == 0 do n:add(1) end end)
      t:start() flag:store(1) t:join()
      """)
    let result = try rlsim("explore", "--max-steps", "200", "a.lua")
    #expect(result.code == 4)
    #expect(
      result.output.hasSuffix(
        "inconclusive: 64 runs were broken off after 200 steps (--max-steps); some schedules may never end\n"))
  }

  @Test func aSpaceThatIsTooLargeIsInconclusiveWithAnEstimate() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.additions)
    let result = try rlsim("explore", "--schedules", "50", "a.lua")
    #expect(result.code == 4)
    // A random walk takes each of the 8! orders of additions with the same chance: 50 of them are 0.124 %.
    #expect(result.output.contains("50 schedules, 50 traces (50 interleavings), 1 order, not exhausted (0.124 % "))
    #expect(result.output.hasSuffix("inconclusive: the 50 schedules were run\n"))
  }

  // MARK: Files

  @Test func filesThatCannotBeWrittenAreTold() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.opposite)
    let report = try rlsim("explore", "--report", "nowhere/report.json", "a.lua")
    #expect(report.code == 2)
    #expect(report.errors.contains("cannot write 'nowhere/report.json': No such file or directory"))
    let traces = try rlsim("explore", "--trace-dir", "a.lua/traces", "a.lua")
    #expect(traces.code == 2)
    #expect(traces.errors.contains("a.lua/traces"))
    // What was found is told all the same.
    #expect(report.lines.first == "deadlock" && traces.lines.first == "deadlock")
  }

  @Test func theTraceOfEachFindingIsWritten() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.opposite)
    #expect(try rlsim("explore", "--trace-dir", "traces", "--report", "report.json", "a.lua").code == 1)
    #expect(try rlsim.read("traces/1-deadlock.trace").contains("fault deadlock thread=p"))
    #expect(try rlsim.read("report.json").contains("\"verdict\":\"fails\""))
  }
}
