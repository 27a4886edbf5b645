import RunLoopScript
import Testing

@testable import RunLoopExplorer

/// What is said of a finding is about this finding, whatever else goes wrong in the same runs.
@Suite struct CriticalStepTests {
  private func explore(_ source: String, _ change: (inout ExploreOptions) -> Void = { _ in }) -> ExploreReport {
    var options = ExploreOptions()
    change(&options)
    return Explorer(ScriptOptions(source: Array(source.utf8), chunkName: "test.lua"), options) { 0 }.explore()
  }

  /// Both ways of exploring see the same.
  private func exploreBothWays(_ source: String, sourceLocation: SourceLocation = #_sourceLocation) -> ExploreReport {
    let script = ScriptOptions(source: Array(source.utf8), chunkName: "test.lua")
    var options = ExploreOptions()
    options.keepsTraces = true
    let reduced = Explorer(script, options) { 0 }
    let report = reduced.explore()
    options.reduces = false
    let full = Explorer(script, options) { 0 }
    let all = full.explore()
    #expect(reduced.foundTheSame(as: full), sourceLocation: sourceLocation)
    #expect(Double(all.schedules) == report.interleavings, sourceLocation: sourceLocation)
    #expect(all.traces == report.traces, sourceLocation: sourceLocation)
    return report
  }

  @Test func aLeakInEveryOtherRunDoesNotHideTheCriticalStepOfADeadlock() throws {
    let report = explore(
      """
      local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
      local left = rl.thread("left", function() end)
      local p = rl.thread("p", function() a:lock() b:lock() b:unlock() a:unlock() end)
      local q = rl.thread("q", function() b:lock() a:lock() a:unlock() b:unlock() end)
      left:start() p:start() q:start() p:join() q:join()
      """)
    let deadlock = try #require(report.findings.first { $0.kind == "deadlock" })
    #expect(deadlock.criticalStep == "step 2 of 2, q: lock b at test.lua:4")
    // Once one of the two has both locks, there is no deadlock any more, and so the leak is certain.
    let leak = try #require(report.findings.first { $0.kind == "leak" })
    #expect(leak.runs == 2)
    #expect(leak.criticalStep == "step 2 of 8, p: lock b at test.lua:3")
  }

  @Test func whatEveryRunShowsHasNoCriticalStep() throws {
    let report = explore(
      """
      local x = rl.atomic{ name = "x", value = 0 }
      local p = rl.thread("p", function() x:add(1) end)
      p:start() x:add(1) p:join()
      rl.expect(false, "always")
      """)
    #expect(report.findings.map(\.criticalStep) == ["none: every interleaving shows it"])
  }

  /// The holder computes while the other waits, so the clock moves with the lock taken: either has it first.
  @Test(
    arguments: [
      ("rl.mutex{ name = 'm' }", "m:lock()", "m:unlock()"),
      ("rl.semaphore{ name = 'm', value = 1 }", "m:wait()", "m:signal()"),
    ]) func whatIsHeldWhileComputing(object: String, take: String, give: String)
  {
    let report = exploreBothWays(
      """
      local m = \(object)
      local p = rl.thread("p", function() \(take) rl.work(1) \(give) end)
      local q = rl.thread("q", function() \(take) \(give) end)
      p:start() q:start() p:join() q:join()
      """)
    #expect(report.traces == 2)
    #expect(report.interleavings == 2)
    #expect(report.verdict == .holds)
  }

  /// Both take their first lock before either has computed: the two first steps can be swapped, and the deadlock is sure.
  @Test func locksInOppositeOrdersWhileComputing() throws {
    let report = exploreBothWays(
      """
      local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
      local p = rl.thread("p", function() a:lock() rl.work(1) b:lock() b:unlock() a:unlock() end)
      local q = rl.thread("q", function() b:lock() rl.work(1) a:lock() a:unlock() b:unlock() end)
      p:start() q:start() p:join() q:join()
      """)
    #expect(report.traces == 1)
    #expect(report.interleavings == 2)
    let finding = try #require(report.findings.first)
    #expect(finding.kind == "deadlock")
    #expect(finding.preemptions == 0)
    #expect(finding.criticalStep == "none: every interleaving shows it")
  }

  /// p reads twice, and sees three different moments of q only if it is left in between and comes back to it: two
  /// preemptions. The first finding that is told needs no more, although a run with more may come first.
  @Test func theFirstFindingIsAShortest() throws {
    let source = """
      local x, y = rl.atomic{ name = "x", value = 0 }, rl.atomic{ name = "y", value = 0 }
      local p = rl.thread("p", function()
        local first = x:load()
        local second = x:load()
        rl.expect(not (first == 1 and second == 2), "seen in between")
      end)
      local q = rl.thread("q", function() x:store(1) y:load() x:store(2) y:load() end)
      p:start() q:start() p:join() q:join()
      """
    let all = try #require(explore(source).findings.first)
    let first = explore(source) { $0.stopsAtFirst = true }
    #expect(first.findings.map(\.preemptions) == [all.preemptions])
    #expect(first.findings[0].isLeast)
    // q to its first store; p's first look; q's second store; p's second look: q and p are left once each.
    #expect(all.preemptions == 2)
    let short = explore(source) { $0.maximumPreemptions = 1 }
    #expect(short.findings.isEmpty)
    #expect(short.verdict == .inconclusive)
  }

  @Test func aSmallerBoundCostsLess() {
    let source = """
      local x = rl.atomic{ name = "x", value = 0 }
      local function body() for _ = 1, 4 do x:add(1) end end
      local p, q = rl.thread("p", body), rl.thread("q", body)
      p:start() q:start() p:join() q:join()
      """
    // Of 8! / (4! 4!) = 70 orders, those with k preemptions: the two sequences of four are cut into blocks.
    let all = explore(source)
    #expect(all.schedules == 70)
    var costs: [Int] = []
    for bound in 0...3 {
      let report = explore(source) { $0.maximumPreemptions = bound }
      #expect(report.schedules == all.cumulative[bound])
      costs.append(report.schedules + report.redundant)
    }
    #expect(costs == costs.sorted())
    #expect(costs[3] < 70)
  }
}
