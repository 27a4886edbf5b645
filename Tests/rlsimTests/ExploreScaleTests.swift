import Foundation
import RunLoopExplorer
import Testing

/// `rlsim explore` in several processes, in shares on several machines, and in several sittings: it has to come to what one
/// process in one go comes to.
@Suite struct ExploreScaleTests {
  /// Two threads of seven additions: 14! / (7! 7!) = 3,432 orders, all of them different traces. One of the threads looks
  /// at the end whether it was the last.
  private static let additions = """
    local x = rl.atomic{ name = "x", value = 0 }
    local function body() for _ = 1, 6 do x:add(1) end rl.expect(x:add(1) < 14, "the last") end
    local p, q = rl.thread("p", body), rl.thread("q", body)
    p:start() q:start() p:join() q:join()
    """

  /// Three threads that take two of three locks twice; some ways end in a deadlock.
  private static let philosophers = """
    local forks = {}
    for i = 1, 3 do forks[i] = rl.mutex{ name = "fork" .. i } end
    local meals = rl.atomic{ name = "meals", value = 0 }
    local t = {}
    for i = 1, 3 do
      t[i] = rl.thread("p" .. i, function()
        local a, b = forks[i], forks[i % 3 + 1]
        for _ = 1, 2 do a:lock() b:lock() meals:add(1) b:unlock() a:unlock() end
      end)
    end
    for i = 1, 3 do t[i]:start() end
    for i = 1, 3 do t[i]:join() end
    """

  private func withScripts(_ body: (Executable) throws -> Void) throws {
    let rlsim = try Executable()
    defer { rlsim.remove() }
    try rlsim.write("additions.lua", Self.additions)
    try rlsim.write("philosophers.lua", Self.philosophers)
    try body(rlsim)
  }

  /// The text of a file that somebody has changed, with the check sum that it has then.
  private func sealed(_ text: String) throws -> String {
    guard case .object(let members) = try JSON(Array(text.utf8)) else { return text }
    return JSON.object(members.filter { $0.name != "check" }).sealedText
  }

  /// Without what depends on the time it took.
  private func timeless(_ text: String) -> String {
    text.replacing(/; [0-9,]+ schedules a second/, with: "")
      .replacing(/"seconds":[0-9.e-]+|"check":"[0-9a-f]+"/, with: "")
  }

  private static let commands: [[String]] = [
    ["additions.lua"], ["philosophers.lua"], ["--no-reduce", "additions.lua"], ["--preemptions", "3", "additions.lua"],
    ["--schedules", "2500", "additions.lua"], ["--schedules", "3432", "additions.lua"],
    ["--first", "philosophers.lua"],
    ["--strategy", "random", "--seed", "7", "--schedules", "2500", "philosophers.lua"],
  ]

  @Test(arguments: commands) func severalProcessesComeToWhatOneDoes(command: [String]) throws {
    try withScripts { rlsim in
      let words = command.joined(separator: " ")
      let one = try rlsim.shell("$RLSIM explore --report one.json \(words)")
      for jobs in [2, 3] {
        let several = try rlsim.shell("$RLSIM explore --jobs \(jobs) --report several.json \(words)")
        #expect(several.code == one.code)
        #expect(timeless(several.output) == timeless(one.output))
        #expect(several.errors == one.errors)
        #expect(timeless(try rlsim.read("several.json")) == timeless(try rlsim.read("one.json")))
      }
    }
  }

  @Test func theAdditionsAreCounted() throws {
    try withScripts { rlsim in
      let result = try rlsim.shell("$RLSIM explore --jobs 2 additions.lua")
      // In every run one of the two threads is the last: that is one finding, as both are at the same line.
      #expect(result.output.contains("3,432 schedules, 3,432 traces (3,432 interleavings)"))
      #expect(result.output.contains("critical step: none: every interleaving shows it"))
      let bounded = try rlsim.shell("$RLSIM explore --schedules 3432 additions.lua")
      #expect(timeless(bounded.output) == timeless(result.output))
      #expect(result.code == 1)
    }
  }

  @Test(arguments: [["additions.lua"], ["philosophers.lua"], ["--preemptions", "2", "additions.lua"]])
  func sharesTogetherAreTheWhole(command: [String]) throws {
    try withScripts { rlsim in
      let words = command.joined(separator: " ")
      let whole = try rlsim.shell("$RLSIM explore --report whole.json \(words)")
      var reports: [String] = []
      var codes: [Int32] = []
      for share in 1...3 {
        let result = try rlsim.shell("$RLSIM explore --shard \(share)/3 --report share\(share).json \(words)")
        #expect([0, 1, 4].contains(result.code), "\(result.errors)")
        #expect(result.output.contains("share \(share) of 3: "))
        reports.append("share\(share).json")
        codes.append(result.code)
      }
      // In any order.
      let joined = try rlsim.shell(
        "$RLSIM explore --merge --report joined.json \(reports.reversed().joined(separator: " "))")
      #expect(joined.code == whole.code)
      #expect(timeless(joined.output) == timeless(whole.output))
      #expect(timeless(try rlsim.read("joined.json")) == timeless(try rlsim.read("whole.json")))

      let missing = try rlsim.shell("$RLSIM explore --merge \(reports[0]) \(reports[2])")
      #expect(missing.output.contains("not exhausted"))
      // What the two shares have found is found; why there may be more is told beside it.
      let isFound = codes[0] == 1 || codes[2] == 1
      #expect(missing.code == (isFound ? 1 : 4))
      #expect(
        (isFound ? missing.errors : missing.output).contains(
          "\(isFound ? "rlsim" : "inconclusive"): share 2 of 3 is missing"), "\(missing.output)\(missing.errors)")
    }
  }

  @Test func reportsThatDoNotBelongTogetherAreRefused() throws {
    try withScripts { rlsim in
      _ = try rlsim.shell("$RLSIM explore --report whole.json additions.lua")
      _ = try rlsim.shell("$RLSIM explore --shard 1/2 --report a.json additions.lua")
      _ = try rlsim.shell("$RLSIM explore --shard 2/2 --report b.json philosophers.lua")
      _ = try rlsim.shell("$RLSIM explore --shard 2/2 --no-reduce --report c.json additions.lua")
      _ = try rlsim.shell("$RLSIM explore --shard 2/3 --report d.json additions.lua")
      try rlsim.write("text.json", "no report")
      let text = try rlsim.read("a.json")
      try rlsim.write("old.json", try sealed(text.replacing(/"tool":"[^"]*"/, with: "\"tool\":\"0.1\"")))
      try rlsim.write("cut.json", String(text.dropLast(100)))
      // As version 1 was: without a check sum.
      try rlsim.write(
        "first.json", text.replacing("\"version\":2", with: "\"version\":1").replacing(/,"check":"[^"]*"/, with: ""))
      try rlsim.write("changed.json", text.replacing(/"choicePoints":[0-9]+/, with: "\"choicePoints\":7"))
      try rlsim.write("unsealed.json", text.replacing(/,"check":"[^"]*"/, with: ""))
      func expect(_ arguments: String, _ message: String) throws {
        let result = try rlsim.shell("$RLSIM explore --merge \(arguments)")
        #expect(result.code == 2)
        #expect(result.errors.hasPrefix("rlsim: \(message)"), "\(result.errors)")
        #expect(result.output.isEmpty)
      }
      try expect("whole.json", "'whole.json' is the report of a whole exploration, not of a share (--shard I/N)")
      try expect("a.json b.json", "'b.json' and 'a.json' cannot be joined: they are of different scripts")
      try expect("a.json c.json", "'c.json' and 'a.json' cannot be joined: they are of different options of explore")
      try expect("a.json d.json", "'d.json' and 'a.json' cannot be joined: one is of 3 shares, the other of 2")
      try expect("a.json a.json", "share 1 of 2 is there twice: 'a.json' and 'a.json'")
      try expect("text.json", "'text.json' is no report of rlsim explore, or was cut short: it is no JSON text")
      try expect("cut.json", "'cut.json' is no report of rlsim explore, or was cut short: it is no JSON text")
      try expect("first.json", "'first.json' is of version 1 of the report; this rlsim reads version 2")
      for name in ["changed.json", "unsealed.json"] {
        try expect(
          name, "'\(name)' is damaged, or was changed: its check sum does not fit; explore this share again")
      }
      try expect("old.json", "'old.json' was written by rlsim 0.1, and this is ")
      try expect("nothing.json", "cannot read 'nothing.json': there is no such file")
      try expect("", "--merge needs the reports of the shares")
      try expect("--report ./a.json a.json b.json", "the report './a.json' would overwrite that of a share, 'a.json'")
      #expect(try rlsim.read("a.json") == text)
    }
  }

  @Test(arguments: ["", "--jobs 2", "--no-reduce"]) func inSeveralSittingsItComesToTheSame(options: String) throws {
    try withScripts { rlsim in
      let whole = try rlsim.shell("$RLSIM explore \(options) --report whole.json additions.lua")
      var sittings = 0
      while true {
        let sitting = try rlsim.shell(
          "$RLSIM explore \(options) --resume left.json --schedules 1400 --report last.json additions.lua")
        sittings += 1
        guard rlsim.exists("left.json"), sittings < 10 else {
          #expect(sitting.code == whole.code)
          #expect(timeless(sitting.output) == timeless(whole.output))
          #expect(timeless(try rlsim.read("last.json")) == timeless(try rlsim.read("whole.json")))
          break
        }
        #expect(sitting.output.contains("not exhausted"))
        #expect(sitting.errors.contains("to go on where it was left: "))
      }
      // 1,400, 1,400 and the rest of 3,432.
      #expect(sittings == 3)
    }
  }

  /// Of the shell: `busy PROCESS` waits until it, or one that it has started, has computed for a second.
  private static let busy = """
    busy() {
      for i in $(seq 600); do
        for p in $1 $(pgrep -P $1); do
          if ps -o time= -p $p | grep -q '[1-9]'; then return; fi
        done
        sleep 0.05
      done
    }

    """

  @Test func anInterruptedOneGoesOn() throws {
    try withScripts { rlsim in
      for (jobs, signal, code) in [(1, "INT", 130), (2, "INT", 130), (2, "TERM", 143)] as [(Int, String, Int32)] {
        let first = try rlsim.shell(
          Self.busy + """
            $RLSIM explore --no-reduce --jobs \(jobs) --resume left.json philosophers.lua > out.txt &
            busy $!; kill -\(signal) $!; wait $!
            """)
        #expect(first.code == code)
        #expect(rlsim.exists("left.json"))
        #expect(try rlsim.read("out.txt").contains("not exhausted"))
        let second = try rlsim.shell(
          "$RLSIM explore --no-reduce --jobs \(jobs) --resume left.json --schedules 1000 philosophers.lua")
        #expect(second.output.contains("not exhausted"))
        try FileManager.default.removeItem(at: rlsim.file("left.json"))
      }
    }
  }

  /// The reduced exploration has one trace and is done at once; the full one has 30! / 15!² ways.
  @Test func anInterruptedCrossCheckSaysSoByItsExitCode() throws {
    try withScripts { rlsim in
      try rlsim.write(
        "apart.lua",
        """
        local function start(name)
          local x = rl.atomic{ name = name }
          local t = rl.thread(name, function() for _ = 1, 15 do x:add(1) end end)
          t:start()
          return t
        end
        local p, q = start("p"), start("q")
        p:join() q:join()
        """)
      let result = try rlsim.shell(
        Self.busy + "$RLSIM explore --cross-check apart.lua > out.txt & busy $!; kill -INT $!; wait $!")
      #expect(result.code == 130)
      #expect(result.errors.contains("cannot be compared: not both were exhausted"))
      #expect(try rlsim.read("out.txt").hasSuffix("holds\n"))
    }
  }

  @Test func aFileOfAnotherExplorationIsRefused() throws {
    try withScripts { rlsim in
      _ = try rlsim.shell("$RLSIM explore --resume left.json --schedules 1400 additions.lua")
      let text = try rlsim.read("left.json")
      try rlsim.write("old.json", try sealed(text.replacing(/"tool":"[^"]*"/, with: "\"tool\":\"0.1\"")))
      try rlsim.write("cut.json", String(text.dropLast(text.count / 2)))
      try rlsim.write("other.json", "{\"a\":1}")
      try rlsim.write("damaged.json", try sealed(text.replacing(/"next":[0-9]+,/, with: "")))
      try rlsim.write("changed.json", text.replacing(/"next":[0-9]+,/, with: "\"next\":3,"))
      try rlsim.write(
        "first.json",
        text.replacing("\"rlsimResume\":2", with: "\"rlsimResume\":1").replacing(/,"check":"[^"]*"/, with: ""))
      func expect(_ arguments: String, _ message: String) throws {
        let result = try rlsim.shell("$RLSIM explore --resume \(arguments)")
        #expect(result.code == 2)
        #expect(result.errors.hasPrefix("rlsim: \(message)"), "\(result.errors)")
      }
      try expect("left.json philosophers.lua", "'left.json' cannot be gone on with: it belongs to another script")
      try expect(
        "left.json --no-reduce additions.lua", "'left.json' cannot be gone on with: it was begun with other options")
      try expect(
        "left.json --shard 1/2 additions.lua", "'left.json' cannot be gone on with: it was begun with another --shard")
      try expect(
        "old.json additions.lua", "'old.json' cannot be gone on with: it was written by rlsim 0.1, and this is ")
      try expect("cut.json additions.lua", "'cut.json' is no file of --resume, or was cut short: it is no JSON text; ")
      try expect(
        "changed.json additions.lua",
        "'changed.json' cannot be gone on with: it is damaged, or was changed: its check sum does not fit; remove it")
      try expect(
        "first.json additions.lua",
        "'first.json' cannot be gone on with: it is of version 1 of such files, and this rlsim reads version 2; remove "
      )
      try expect("other.json additions.lua", "'other.json' is no file of --resume: it does not say so")
      try expect("damaged.json additions.lua", "'damaged.json' is damaged; remove it to begin anew")
      try expect("/dev/null/left.json additions.lua", "cannot ")
      // What was refused is still there.
      #expect(try rlsim.read("left.json") == text)
    }
  }

  /// Why every interleaving is taken is not forgotten from one sitting to the next.
  @Test(arguments: [
    (
      "local function f() a:add(1) rl.sleep(1) rl.log(rl.mutex{}.name) a:add(1) a:add(1) end",
      "rlsim: what threads do depends on more than their steps tell ("
    ),
    ("local function f() while a:load() == 0 do end end", "rlsim: threads go round in circles, so every"),
  ]) func theReasonIsToldInEverySitting(body: String, reason: String) throws {
    try withScripts { rlsim in
      try rlsim.write(
        "reason.lua",
        """
        local a = rl.atomic{ name = "a" }
        \(body)
        local p, q = rl.thread("p", f), rl.thread("q", f)
        p:start() q:start() a:add(1) p:join() q:join()
        """)
      for sitting in 1...2 {
        let result = try rlsim.shell("$RLSIM explore --resume left.json --schedules 2 reason.lua")
        #expect(result.errors.hasPrefix(reason), "sitting \(sitting): \(result.errors)")
        #expect(rlsim.exists("left.json"))
      }
      let last = try rlsim.shell("$RLSIM explore --resume left.json reason.lua")
      #expect(last.errors.hasPrefix(reason), "\(last.errors)")
      #expect(!rlsim.exists("left.json"))
    }
  }

  @Test func aKilledProcessIsToldAndItsPartIsTakenOver() throws {
    try withScripts { rlsim in
      let whole = try rlsim.shell("$RLSIM explore --schedules 12000 --no-reduce philosophers.lua")
      // The first process that explores parts is killed as soon as there is one.
      let result = try rlsim.shell(
        """
        $RLSIM explore --schedules 12000 --no-reduce --jobs 2 philosophers.lua &
        parent=$!
        for i in $(seq 3000); do
          child=$(pgrep -P $parent | head -n 1)
          if [ -n "$child" ]; then break; fi
          sleep 0.01
        done
        kill -KILL $child; wait $parent
        """)
      #expect(result.errors.contains("was ended by signal 9; another one takes the part over"))
      #expect(timeless(result.output) == timeless(whole.output))
      #expect(result.code == whole.code)
    }
  }

  @Test func wrongNumbersAreRefused() throws {
    try withScripts { rlsim in
      for (arguments, message) in [
        ("--jobs 0 additions.lua", "--jobs needs a number of at least 1, not 0"),
        ("--jobs many additions.lua", "--jobs needs a whole number, not 'many'"),
        ("--shard 3/2 additions.lua", "--shard needs I/N, share I of N, such as 2/8, not '3/2'"),
        ("--shard 0/2 additions.lua", "--shard needs I/N"), ("--shard 2 additions.lua", "--shard needs I/N"),
        ("--worker additions.lua", "--worker is for rlsim itself"),
      ] {
        let result = try rlsim.shell("$RLSIM explore \(arguments) < /dev/null")
        #expect(result.code == 2)
        #expect(result.errors.hasPrefix("rlsim: \(message)"), "\(result.errors)")
      }
    }
  }
}
