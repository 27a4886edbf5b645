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
    let text = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isWhitespace)
      .filter { $0 != "--" }.joined(separator: " ")
    if name.hasSuffix("-broken.lua") {
      #expect(result.code == 1, "\(result.output)")
      let mark = try #require(text.range(of: "explore` finds: "))
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

  /// In 200 random walks through C(6, 3) = 20 orders: how many show it tells the seed.
  @Test func theHeadersSeedIsThatOfTheStrategies() throws {
    defer { rlsim.remove() }
    try rlsim.write(
      "a.lua",
      """
      --! rlsim: --seed 7
      local x = rl.atomic{ name = "x", value = 0 }
      local p = rl.thread("p", function() for _ = 1, 3 do x:add(1) end end)
      local q = rl.thread("q", function() x:load() rl.expect(x:load() < 2, "two") x:load() end)
      p:start() q:start() p:join() q:join()
      """)
    func shown(_ options: String...) throws -> String? {
      let result = try rlsim.run(["explore", "--strategy", "random", "--schedules", "200"] + options + ["a.lua"])
      return result.lines.first { $0.hasPrefix("  shown by ") }
    }
    let own = try #require(try shown())
    #expect(try shown("--seed", "7") == own)
    #expect(try shown("--seed", "0") != own)
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
    // The file of the schedule is none of the outputs.
    try rlsim.write("schedule.txt", compact)
    let over = try rlsim("replay", "a.lua", "@schedule.txt", "--also", "text=./schedule.txt")
    #expect(over.code == 2 && over.errors == "rlsim: the output './schedule.txt' would overwrite the schedule\n")
    #expect(try rlsim.read("schedule.txt") == compact)
    // And leaves what an output holds.
    try rlsim.write("keep.txt", "kept")
    for schedule in ["bad", compact] {
      #expect(try rlsim("replay", "b.lua", schedule, "--output", "keep.txt").code == 2)
      #expect(try rlsim.read("keep.txt") == "kept")
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
      (String(schedule.dropLast(4)), "cut short"), (String(schedule.prefix(9)), "cut short"),
      (schedule.replacingOccurrences(of: schedule.suffix(1), with: schedule.hasSuffix("7") ? "8" : "7"), "mistyped"),
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
    try rlsim.write("a.lua", Self.additions + "\nrl.log(require(\"number\"))")
    try rlsim.write("number.lua", "return 0")
    // While it is explored somebody else changes a file that it reads.
    let result = try rlsim.shell(
      """
      (i=1; while [ ! -e stop ]; do echo "return $i" > new; mv new number.lua; i=$((i + 1)); done) 2>/dev/null &
      "$RLSIM" explore --check-determinism --schedules 60 a.lua; code=$?
      touch stop; wait
      exit $code
      """)
    #expect(result.code == 70)
    #expect(result.errors.contains("did not come out the same when it was run again: in two more runs line "))
    #expect(result.errors.contains(" main log "))
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
        "inconclusive: 1 run was broken off after 200 steps (--max-steps); some schedules may never end\n"))
    // Where every interleaving is taken there are two: the flag is never set, or by the 200th step.
    let full = try rlsim("explore", "--max-steps", "200", "--no-reduce", "a.lua")
    #expect(full.code == 4)
    #expect(full.output.contains("inconclusive: 2 runs were broken off after 200 steps (--max-steps)"))
    // Where no run has an end, the search has none either.
    let text = try rlsim.read("a.lua").replacingOccurrences(of: "flag:store(1)", with: "n:load()")
    try rlsim.write("b.lua", text)
    let never = try rlsim("explore", "--max-steps", "200", "--no-reduce", "b.lua")
    #expect(never.code == 4)
    #expect(never.output.contains("inconclusive: 64 runs were broken off after 200 steps (--max-steps)"))
  }

  @Test func aSpaceThatIsTooLargeIsInconclusiveWithAnEstimate() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.additions)
    let result = try rlsim("explore", "--schedules", "50", "a.lua")
    #expect(result.code == 4)
    // A random walk takes each of the 8! orders of additions with the same chance: 50 of them are 0.124 %.
    #expect(result.output.contains("50 schedules, 50 traces (50 interleavings), 50 orders, not exhausted (0.124 % "))
    #expect(result.output.hasSuffix("inconclusive: the 50 schedules were run\n"))
  }

  @Test func asManySchedulesAsThereAreAreAll() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.opposite)
    #expect(try rlsim("explore", "--schedules", "2", "a.lua").output.contains("2 orders, not exhausted"))
    #expect(try rlsim("explore", "--schedules", "3", "a.lua").output.contains("3 orders, exhausted"))
    let held = try rlsim.shell(
      "echo 'local x = rl.atomic{} rl.detach(\"t\", function() x:add(1) end) x:add(1)' > b.lua; "
        + "$RLSIM explore --schedules 2 b.lua")
    #expect(held.output.hasSuffix("\nholds\n"), "\(held.output)")
  }

  @Test func aShareWithNothingInItSaysSo() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.opposite)
    _ = try rlsim("explore", "--shard", "1/2", "--report", "1.json", "a.lua")
    let empty = try rlsim("explore", "--shard", "2/2", "--report", "2.json", "a.lua")
    #expect(empty.code == 0)
    #expect(empty.output.hasSuffix("\nholds: nothing is in this share, the others have it all\n"))
    #expect(try rlsim("explore", "--merge", "1.json", "2.json").output.hasSuffix("\nfails: 1 finding\n"))
  }

  @Test func aScheduleBelongsToWhatTheScriptRequires() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "require('locks')\n" + Self.opposite)
    try rlsim.write("locks.lua", "require('more')\n")
    try rlsim.write("more.lua", "")
    let schedule = try schedule(try rlsim("explore", "a.lua"))
    #expect(try rlsim("replay", "a.lua", schedule).code == 1)
    try rlsim.write("more.lua", "rl.sleep(1)\n")
    #expect(try rlsim("replay", "a.lua", schedule).errors.contains("the schedule was made for another script"))
  }

  // MARK: Files

  @Test func filesThatCannotBeWrittenAreTold() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.opposite)
    let report = try rlsim("explore", "--report", "a.lua/report.json", "a.lua")
    #expect(report.code == 2)
    #expect(report.errors.contains("cannot write 'a.lua/report.json': "))
    let traces = try rlsim("explore", "--trace-dir", "a.lua/traces", "a.lua")
    #expect(traces.code == 2)
    #expect(traces.errors.contains("a.lua/traces"))
    // What was found is told all the same.
    #expect(report.lines.first == "deadlock" && traces.lines.first == "deadlock")
    #if os(Linux)
      let full = try rlsim.shell(
        "mkdir full; ln -s /dev/full full/1-deadlock.trace; $RLSIM explore --trace-dir full a.lua")
      #expect(full.code == 2)
      #expect(
        full.errors.hasSuffix(
          "rlsim: cannot write the trace to 'full/1-deadlock.trace': No space left on device\n"), "\(full.errors)")
      #expect(full.lines.first == "deadlock")
    #endif
  }

  @Test func aReportOverwritesNothingThatIsNeeded() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.opposite)
    for (report, message) in [
      ("a.lua", "the report 'a.lua' would overwrite the script"),
      ("./a.lua", "the report './a.lua' would overwrite the script"),
      ("left.json", "'left.json' is named for the report and for --resume"),
      ("./left.json", "'./left.json' is named for the report and for --resume"),
    ] {
      let result = try rlsim("explore", "--report", report, "--resume", "left.json", "a.lua")
      #expect(result.code == 2 && result.output.isEmpty)
      #expect(result.errors == "rlsim: \(message)\n")
    }
    #expect(try rlsim.read("a.lua") == Self.opposite)
    #expect(!rlsim.exists("left.json"))
  }

  @Test func theTraceOfEachFindingIsWritten() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", Self.opposite)
    #expect(try rlsim("explore", "--trace-dir", "traces", "--report", "report.json", "a.lua").code == 1)
    #expect(try rlsim.read("traces/1-deadlock.trace").contains("fault deadlock thread=p"))
    #expect(try rlsim.read("report.json").contains("\"verdict\":\"fails\""))
  }

  // MARK: Golden files

  private static let lockers = """
    --! rlsim: --explore
    local lock = rl.mutex{ name = "lock" }
    local function visit(name) return rl.thread(name, function() lock:lock() lock:unlock() end) end
    local p, q = visit("p"), visit("q")
    p:start() q:start() p:join() q:join()
    """

  @Test func aGoldenFileHoldsEveryOrder() throws {
    defer { rlsim.remove() }
    try rlsim.write("scripts/a.lua", Self.lockers)
    #expect(try rlsim("test", "--update").code == 0)
    let golden = try rlsim.read("golden/a.trace")
    // Whether p or q is first, and whether the first is through with its end before the other begins: p's end after its
    // unlock is done at once, so two orders are all.
    #expect(golden.hasPrefix("rlsim-orders 1 orders=2 exhausted\nrlsim-trace 1 semantics=apple seed=none\n\norder 1\n"))
    #expect(golden.components(separatedBy: "\norder ").count == 3)
    #expect(golden.hasSuffix("0.000000000 - end reason=returned\n"))
    #expect(try rlsim("test").output == "1 passed, 0 failed\n")
    #expect(
      try rlsim("explore", "scripts/a.lua").output.contains(
        "golden/a.trace holds 2 orders, and all that were found are among them\n"))
  }

  @Test func aNewOrderAndOneThatIsGoneFailTheTest() throws {
    defer { rlsim.remove() }
    try rlsim.write("scripts/a.lua", Self.lockers)
    #expect(try rlsim("test", "--update").code == 0)
    let golden = try rlsim.read("golden/a.trace")
    let blocks = golden.components(separatedBy: "\norder 2\n")
    // As if the second order had not been there when the file was made.
    try rlsim.write("golden/a.trace", blocks[0].replacingOccurrences(of: "orders=2", with: "orders=1"))
    let new = try rlsim("test")
    #expect(new.code == 1)
    #expect(
      new.output.contains(
        "1 order is new (order 2); there were 1, now there are 2; against order 1 of the golden file: first difference in line "
      ))
    let replay = try #require(new.lines.first { $0.hasPrefix("new: order 2, replay with: ") })
    #expect(replay.contains(" replay scripts/a.lua rls1:"))
    #expect(new.output.contains("\n--- golden order 1\n+++ order 2\n@@ "))
    #expect(new.output.contains("\naccept with: \(Executable.path) test --update scripts/a.lua\n"))
    // And as if there had been a third.
    let third = blocks[1].replacingOccurrences(of: "thread.exit", with: "thread.cancel")
    try rlsim.write("golden/a.trace", golden + "\norder 3\n" + third)
    let gone = try rlsim("test")
    #expect(gone.code == 1)
    #expect(gone.output.contains("1 order of the golden file is gone (order 3); there were 3, now there are 2; "))
    #expect(gone.output.contains("\ngone: order 3 of the golden file\n"))
    // One that has changed is new and gone: against each other, once.
    try rlsim.write("golden/a.trace", "\(blocks[0])\norder 2\n\(third)")
    let changed = try rlsim("test")
    #expect(changed.output.contains("1 order is new (order 2), 1 order of the golden file is gone (order 2); "))
    #expect(changed.output.contains("\ngone: order 2 of the golden file, against order 2 as above\n"))
    #expect(changed.output.components(separatedBy: "\n@@ ").count == 2, "\(changed.output)")
  }

  /// Three threads take a lock in turn, in six orders; with another name of the lock none of them is as before.
  @Test func whereMostOrdersHaveChangedOneIsShownOrThoseWithAFault() throws {
    defer { rlsim.remove() }
    func write(lock: String, failsFor thread: Int) throws {
      try rlsim.write(
        "scripts/a.lua",
        """
        --! rlsim: --explore
        local lock, count = rl.mutex{ name = "\(lock)" }, rl.shared{ name = "count", value = 0 }
        for i = 1, 3 do
          rl.thread("t" .. i, function()
            lock:lock()
            count:set(count:get() + 1)
            rl.expect(i ~= \(thread) or count:get() < 3, "not the last")
            lock:unlock()
          end):start()
        end
        """)
    }
    try write(lock: "before", failsFor: 0)
    #expect(try rlsim("test", "--update").code == 0)
    #expect(try rlsim.read("golden/a.trace").hasPrefix("rlsim-orders 1 orders=6 exhausted\n"))
    try write(lock: "after", failsFor: 0)
    let renamed = try rlsim("test").output
    #expect(renamed.contains("6 orders are new"))
    #expect(renamed.components(separatedBy: "\nnew: order ").count == 2, "\(renamed)")
    #expect(!renamed.contains("\ngone: order "))
    #expect(renamed.contains("\n... and 11 more, new or gone: most orders have changed"))
    // In two of the six orders the third thread is the last.
    try write(lock: "after", failsFor: 3)
    let failing = try rlsim("test").output
    #expect(failing.contains(" is new and has a fault: expectation "))
    #expect(failing.components(separatedBy: "\nnew: order ").count == 3, "\(failing)")
    #expect(failing.contains("\n... and 10 more, new or gone: "))
  }

  @Test func aNewOrderWithAFaultIsToldFirst() throws {
    defer { rlsim.remove() }
    func script(_ first: String, _ second: String) -> String {
      """
      --! rlsim: --explore
      local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
      local t = rl.thread("t", function() a:lock() b:lock() b:unlock() a:unlock() end)
      t:start()
      \(first):lock() \(second):lock() \(second):unlock() \(first):unlock()
      t:join()
      """
    }
    try rlsim.write("scripts/a.lua", script("a", "b"))
    #expect(try rlsim("test", "--update").code == 0)
    try rlsim.write("scripts/a.lua", script("b", "a"))
    let result = try rlsim("test")
    #expect(result.code == 1)
    let sentence = try #require(result.lines.first { $0.contains(" is new and has a fault: ") })
    #expect(sentence.contains(" is new and has a fault: deadlock "))
    let first = try #require(result.lines.first { $0.hasPrefix("new: order ") })
    let number = try #require(first.split(separator: " ").dropFirst(2).first).prefix { $0 != "," }
    #expect(sentence.contains("order \(number) is new and has a fault"))
  }

  @Test func theGoldenTraceIsOneOfTheOrdersOrNone() throws {
    defer { rlsim.remove() }
    try rlsim.write("scripts/a.lua", Self.lockers.replacingOccurrences(of: "--! rlsim: --explore", with: "--"))
    #expect(try rlsim("test", "--update").code == 0)
    #expect(try rlsim("explore", "scripts/a.lua").output.contains("the golden trace (golden/a.trace) is one of them\n"))
    let golden = try rlsim.read("golden/a.trace")
    try rlsim.write("golden/a.trace", golden.replacingOccurrences(of: "p unlock lock", with: "p lock.break lock"))
    #expect(
      try rlsim("explore", "scripts/a.lua").output.contains("the golden trace (golden/a.trace) is none of them\n"))
  }

  /// All but one of 3,432 interleavings are not all of them.
  @Test func allButOneIsNotAll() throws {
    defer { rlsim.remove() }
    try rlsim.write(
      "most.lua",
      """
      local x = rl.atomic{ name = "x", value = 0 }
      local p = rl.thread("p", function() for i = 1, 7 do x:add(1) end end)
      local q = rl.thread("q", function() rl.expect(x:load() == 7, "p was first") for i = 1, 6 do x:add(1) end end)
      p:start() q:start() p:join() q:join()
      """)
    let result = try rlsim("explore", "most.lua")
    #expect(result.output.contains("3,431 of 3,432 interleavings (99.9 %)"), "\(result.output)")
  }

  @Test func optionsThatExcludeEachOther() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "rl.log('a')")
    let shard = try rlsim("explore", "--cross-check", "--shard", "1/2", "a.lua")
    #expect(shard.code == 2)
    #expect(shard.errors.contains("--cross-check") && shard.errors.contains("--shard"))
    let spurious = try rlsim("explore", "--spurious", "5000000000", "a.lua")
    #expect(spurious.code == 2)
    #expect(spurious.errors.contains("at most 4294967295"))
  }
}
