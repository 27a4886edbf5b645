import RunLoopScript
import Testing

@testable import RunLoopExplorer

/// The same known answers with Lua in the loop, and what is said about what was found.
@Suite struct ScriptTests {
  private func explore(_ source: String, _ change: (inout ExploreOptions) -> Void = { _ in }) -> ExploreReport {
    var options = ExploreOptions()
    change(&options)
    return Explorer(script(source), options) { 0 }.explore()
  }

  private func script(_ source: String) -> ScriptOptions {
    ScriptOptions(source: Array(source.utf8), chunkName: "test.lua")
  }

  private static let opposite = """
    local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
    local p = rl.thread("p", function() a:lock() b:lock() b:unlock() a:unlock() end)
    local q = rl.thread("q", function() b:lock() a:lock() a:unlock() b:unlock() end)
    p:start() q:start() p:join() q:join()
    """

  private static func litmus(_ bodies: [String]) -> String {
    var text = "local x, y = rl.atomic{ name = 'x', value = 0 }, rl.atomic{ name = 'y', value = 0 }\nlocal t = {}\n"
    for (index, body) in bodies.enumerated() {
      text += "t[\(index + 1)] = rl.thread('t\(index)', function() \(body) end)\n"
    }
    return text + "for i = 1, #t do t[i]:start() end for i = 1, #t do t[i]:join() end"
  }

  @Test(
    arguments: [
      (["x:store(1) y:load()", "y:store(1) x:load()"], 3, 6.0),
      (["x:store(1) x:store(2)", "x:load() x:load()"], 6, 6.0),
      (["x:store(1)", "x:load() y:load()", "y:load() x:load()", "y:store(1)"], 15, 180.0),
      (["x:store(1)", "local v = x:load() x:store(v + 2)", "local v = x:load() x:store(v + 4)"], 22, 30.0),
      (["x:add(1)", "x:add(1)", "x:add(1)", "x:add(1)"], 24, 24.0),
      (["x:store(x:load() + 1)", "x:store(x:load() + 1)"], 4, 6.0),
    ] as [([String], Int, Double)])
  func knownAnswers(bodies: [String], traces: Int, interleavings: Double) {
    let report = explore(Self.litmus(bodies))
    #expect(report.schedules == traces)
    #expect(report.traces == traces)
    #expect(report.interleavings == interleavings)
    #expect(report.verdict == .holds)
    let full = explore(Self.litmus(bodies)) { $0.reduces = false }
    #expect(full.schedules == Int(interleavings))
    #expect(full.traces == traces)
  }

  @Test func locksTakenInOppositeOrders() throws {
    let report = explore(Self.opposite)
    #expect(report.verdict == .fails)
    #expect(report.traces == 3)
    #expect(report.interleavings == 6)
    #expect(report.cumulative == [2, 3])
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1)
    #expect(finding.kind == "deadlock")
    #expect(finding.interleavings == 2)
    #expect(finding.preemptions == 1)
    #expect(finding.wasReplayed)
    #expect(finding.criticalStep == "step 2 of 2, q: lock b at test.lua:3")
  }

  @Test func naivePhilosophers() {
    let source = """
      local forks = {}
      for i = 1, 3 do forks[i] = rl.mutex{ name = "fork" .. i } end
      local t = {}
      for i = 1, 3 do
        t[i] = rl.thread("p" .. i, function()
          local a, b = forks[i], forks[i % 3 + 1]
          a:lock() b:lock() b:unlock() a:unlock()
        end)
      end
      for i = 1, 3 do t[i]:start() end
      for i = 1, 3 do t[i]:join() end
      """
    let report = explore(source)
    #expect(report.traces == 7)
    #expect(report.interleavings == 168)
    #expect(report.findings.map(\.interleavings) == [6])
  }

  @Test func sleepersUnderBothClocks() {
    let source = """
      local x = rl.atomic{ value = 0 }
      local t = {}
      for i, s in ipairs{ 1, 1, 2 } do t[i] = rl.thread("s" .. i, function() rl.sleep(s) x:add(i) end) end
      for i = 1, 3 do t[i]:start() end
      for i = 1, 3 do t[i]:join() end
      """
    #expect(explore(source).traces == 2)
    let free = explore(source) { $0.settings.timeIsFree = true }
    #expect(free.traces == 6)
    #expect(free.schedules == 6)
    #expect(free.whyNotReduced == nil)
  }

  @Test func anErrorBeforeThereIsAChoice() throws {
    let report = explore("rl.nope()")
    let finding = try #require(report.findings.first)
    #expect(finding.kind == "error")
    #expect(finding.wasReplayed)
  }

  @Test func aSignalTheWrongWayRound() {
    let source = """
      local pending, wake = rl.atomic{ value = 0 }, rl.semaphore{}
      local l = rl.thread("loop", function() while pending:load() == 0 do wake:wait() end end)
      local s = rl.thread("sender", function() FIRST SECOND end)
      l:start() s:start() l:join() s:join()
      """
    func text(_ first: String, _ second: String) -> String {
      var text = ""
      for line in source.split(separator: "\n") {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map {
          $0 == "FIRST" ? first : $0 == "SECOND" ? second : String($0)
        }
        text += words.joined(separator: " ") + "\n"
      }
      return text
    }
    let wrong = explore(text("wake:signal()", "pending:store(1)"))
    #expect(wrong.traces == 3)
    #expect(wrong.interleavings == 7)
    #expect(wrong.findings.map(\.kind) == ["stuck"])
    #expect(wrong.findings.map(\.interleavings) == [2])
    #expect(explore(text("pending:store(1)", "wake:signal()")).verdict == .holds)
  }

  @Test(arguments: [
    ("lock = rl.conditionLock{ name = 'l' }", "lock:lock()", "linux", true),
    ("lock = rl.conditionLock{ name = 'l' }", "lock:lockWhen(0)", "linux", true),
    ("lock = rl.mutex{ name = 'l' }", "lock:lockBefore(rl.distantFuture)", "linux", true),
    ("lock = rl.mutex{ name = 'l' }", "lock:lock()", "linux", false),
    ("lock = rl.conditionLock{ name = 'l' }", "lock:lock()", "apple", false),
  ])
  func aWaitThatIsATrapIsFoundWhereNoWaitWouldBe(make: String, take: String, profile: String, isTrap: Bool) {
    // Under the default schedule each thread gives the lock back before the other one wants it.
    let report = explore(
      """
      rl.semantics("\(profile)")
      local \(make)
      local function body() \(take) lock:unlock() end
      local p, q = rl.thread("p", body), rl.thread("q", body)
      p:start() q:start() p:join() q:join()
      """)
    #expect(report.verdict == (isTrap ? .fails : .holds))
    #expect(report.findings.map(\.kind) == (isTrap ? ["trap"] : []))
  }

  /// A circle of locks that came to a deadlock is told once; another one is told all the same.
  @Test func aDeadlockDoesNotHideTheOrderOfOtherLocks() {
    let report = explore(
      """
      local function lock(x, y) x:lock() y:lock() y:unlock() x:unlock() end
      local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
      local c, d = rl.mutex{ name = "c" }, rl.mutex{ name = "d" }
      local p, q = rl.thread("p", function() lock(a, b) end), rl.thread("q", function() lock(b, a) end)
      p:start() q:start() p:join() q:join()
      lock(c, d)
      local r = rl.thread("r", function() lock(d, c) end)
      r:start() r:join()
      """)
    #expect(report.findings.map(\.kind).sorted() == ["deadlock", "lockOrder"])
    #expect(report.findings.first { $0.kind == "lockOrder" }?.details.first?.contains("c at") == true)
  }

  @Test func whatLeavesTwoThreadsWaitingIsOneFinding() throws {
    // When the flag is read too early, nobody opens the gate; and who waits for the one behind it waits, too.
    let report = explore(
      """
      local flag = rl.atomic{ name = "flag", value = 0 }
      local gate, done = rl.semaphore{ name = "gate" }, rl.semaphore{ name = "done" }
      local t = {
        rl.thread("a", function() gate:wait() done:signal() end),
        rl.thread("b", function() done:wait() end),
        rl.thread("opener", function() if flag:load() == 1 then gate:signal() end end),
        rl.thread("setter", function() flag:store(1) end),
      }
      for i = 1, #t do t[i]:start() end
      for i = 1, #t do t[i]:join() end
      """)
    let finding = try #require(report.findings.first)
    #expect(report.findings.map(\.kind) == ["stuck"])
    #expect(finding.details.count == 2)
    #expect(finding.details[0].hasPrefix("thread=a waits=semaphore:gate "), "\(finding.details)")
    #expect(finding.details[1].hasPrefix("thread=b waits=semaphore:done "), "\(finding.details)")
    #expect(finding.wasReplayed)
    // Only the load and the store conflict: the load comes first in one trace, and all is stuck then.
    #expect(finding.runs == 1)
    #expect(finding.criticalStep?.contains("opener: load flag") == true)
  }

  @Test func hangsThatMayComeAloneAreTwo() {
    let report = explore(
      """
      local t = {}
      for i = 1, 2 do
        local flag = rl.atomic{ name = "flag" .. i, value = 0 }
        local gate = rl.semaphore{ name = "gate" .. i }
        t[#t + 1] = rl.thread("waiter" .. i, function() gate:wait() end)
        t[#t + 1] = rl.thread("opener" .. i, function() if flag:load() == 1 then gate:signal() end end)
        t[#t + 1] = rl.thread("setter" .. i, function() flag:store(1) end)
      end
      for i = 1, #t do t[i]:start() end
      for i = 1, #t do t[i]:join() end
      """)
    // Each pair of load and store has two orders, and one of them leaves its waiter: 4 traces, each hang in 2 of them.
    #expect(report.traces == 4)
    #expect(report.findings.map(\.kind) == ["stuck", "stuck"])
    #expect(report.findings.map(\.details.count) == [1, 1])
    #expect(report.findings.map(\.runs) == [2, 2])
  }

  @Test func aRaceOfThreadsThatAreMadeAlikeIsToldOnce() {
    let report = explore(
      """
      local x = rl.shared{ name = "x", value = 0 }
      local t = {}
      for i = 1, 3 do t[i] = rl.thread("t" .. i, function() x:set(x:get() + 1) end) end
      for i = 1, 3 do t[i]:start() end
      for i = 1, 3 do t[i]:join() end
      """)
    let place = "at test.lua:3"
    let others = "the same between 2 other pairs of threads"
    // A get and a set, and two sets. Every run has both, between all three pairs.
    #expect(
      report.findings.map(\.details) == [
        ["t1: get x \(place)", "t2: set x \(place)", others], ["t1: set x \(place)", "t2: set x \(place)", others],
      ])
    #expect(report.findings.map(\.runs) == [report.schedules, report.schedules])
  }

  @Test func aSpuriousWakeUpIsFoundWhenAskedFor() {
    let source = """
      local c, ok = rl.condition{ name = "c" }, rl.atomic{ value = 0 }
      local w = rl.thread("w", function()
        c:lock()
        if ok:load() == 0 then c:wait() end
        rl.expect(ok:load() == 1, "woke for nothing")
        c:unlock()
      end)
      local s = rl.thread("s", function() c:lock() ok:store(1) c:signal() c:unlock() end)
      w:start() s:start() w:join() s:join()
      """
    #expect(explore(source).verdict == .holds)
    let report = explore(source) { $0.settings.spuriousWakeups = 1 }
    #expect(report.findings.map(\.kind) == ["expectation"])
    let full = explore(source) {
      $0.settings.spuriousWakeups = 1
      $0.reduces = false
    }
    #expect(full.traces == report.traces)
    #expect(full.interleavings == report.interleavings)
  }

  @Test func nothingToExplore() {
    let report = explore("rl.log('alone')")
    #expect(report.verdict == .inconclusive)
    #expect(report.reason == "nothing to explore: no two threads ever had a choice")
  }

  @Test func aBoundMakesItInconclusive() {
    let report = explore(Self.litmus(["x:add(1)", "x:add(1)", "x:add(1)"])) { $0.maximumSchedules = 2 }
    #expect(report.verdict == .inconclusive)
    #expect(report.schedules == 2)
  }

  @Test func aRaceIsFoundInARunWhereNothingWentWrong() {
    let source = """
      local x = rl.shared{ name = "x", value = 0 }
      local p = rl.thread("p", function() x:set(1) end)
      p:start() x:get() p:join()
      """
    let report = explore(source)
    #expect(report.findings.map(\.kind) == ["dataRace"])
    #expect(report.findings[0].details == ["main: get x at test.lua:3", "p: set x at test.lua:2"])
    let ordered = """
      local x = rl.shared{ name = "x", value = 0 }
      local p = rl.thread("p", function() x:set(1) end)
      p:start() p:join() x:get()
      """
    #expect(explore(ordered).findings.isEmpty)
  }

  @Test func sharedPlainVariablesTurnTheReductionOff() {
    let source = """
      local n, a, b = 0, rl.mutex{}, rl.mutex{}
      local p = rl.thread("p", function() local v = n a:lock() n = v + 1 a:unlock() end)
      local q = rl.thread("q", function() local v = n b:lock() n = v + 1 b:unlock() end)
      p:start() q:start() p:join() q:join()
      """
    let report = explore(source)
    #expect(report.whyNotReduced?.contains("'n'") == true)
    #expect(report.schedules == 6)
    #expect(report.traces == 1)
  }

  @Test func aScheduleIsReplayedToTheSameEnd() throws {
    let report = explore(Self.opposite)
    let schedule = try Schedule(text: report.findings[0].schedule)
    #expect(schedule.digest == Schedule.digest(of: script(Self.opposite)))
    let replay = Replay(script(Self.opposite), schedule.settings)
    #expect(replay.go(schedule).kind == .ended(.fault))
    #expect(replay.preemptions == 1)
    let named = Replay(script(Self.opposite), .init())
    #expect(named.go(try NamedSchedule(text: report.findings[0].named)).kind == .ended(.fault))
    #expect(named.disagreement == nil)
  }

  @Test func everyStrategyFindsTheDeadlock() {
    for strategy in ExploreOptions.Strategy.allCases {
      let report = explore(Self.opposite) {
        $0.strategy = strategy
        $0.maximumSchedules = 200
        $0.seed = 1
      }
      #expect(report.findings.map(\.kind) == ["deadlock"], "\(strategy)")
    }
  }

  @Test func aBoundOfPreemptionsHidesWhatNeedsMore() {
    let none = explore(Self.opposite) { $0.maximumPreemptions = 0 }
    #expect(none.schedules == 2)
    #expect(!none.findings.contains { $0.kind == "deadlock" })
    let one = explore(Self.opposite) { $0.maximumPreemptions = 1 }
    #expect(one.findings.map(\.kind) == ["deadlock"])
    #expect(one.isExhausted)
  }

  /// Six wait for a condition: by chance each of them is woken first, in some run.
  @Test(arguments: [4, 5, 6]) func anyOfManyWaysIsTakenByChance(waiter: Int) {
    let source = """
      local c = rl.condition{ name = "c" }
      local first = rl.atomic{ value = 0 }
      local ready = rl.semaphore{ name = "ready" }
      local ts = {}
      for i = 1, 6 do
        ts[i] = rl.thread("w" .. i, function()
          c:lock() ready:signal() c:wait() first:compareExchange(0, i) c:unlock()
        end)
      end
      for i = 1, 6 do ts[i]:start() ready:wait() end
      c:lock() c:signal() c:unlock()
      rl.sleep(1)
      rl.expect(first:load() ~= \(waiter), "was first")
      c:lock() c:broadcast() c:unlock()
      for i = 1, 6 do ts[i]:join() end
      """
    let report = explore(source) {
      $0.strategy = .random
      $0.settings.isUnfair = true
      $0.maximumSchedules = 300
    }
    #expect(report.findings.contains { $0.kind == "expectation" })
  }

  /// More changes of priority than a run has places change nothing, and take no time.
  @Test(.timeLimit(.minutes(1))) func aDepthBeyondAllRuns() {
    let report = explore(Self.opposite) {
      $0.strategy = .pct
      $0.depth = 9_000_000_000_000
      $0.maximumSchedules = 10
    }
    #expect(report.schedules == 10)
    #expect(report.guarantee == 0)
  }

  /// Which of two threads of one name took a step is told by its number.
  @Test func threadsOfOneName() throws {
    let source = """
      local x = rl.atomic{ value = 0 }
      local function make(v) return rl.thread("w", function() x:store(v) end) end
      local a, b = make(1), make(2)
      a:start() b:start() a:join() b:join()
      rl.expect(x:load() == 2, "the other order")
      """
    let finding = try #require(explore(source).findings.first)
    #expect(finding.named.contains("w#2:") && finding.named.contains("w#3:"))
    let schedule = try NamedSchedule(text: finding.named)
    let replay = Replay(script(source), schedule.settings)
    let outcome = replay.go(schedule)
    #expect(replay.disagreement == nil)
    #expect(outcome.kind == Replay(script(source), .init()).go(try Schedule(text: finding.schedule)).kind)
    #expect(
      outcome.kind != Replay(script(source), .init()).go(Schedule(symbols: [], settings: .init(), digest: 0)).kind)
  }
}
