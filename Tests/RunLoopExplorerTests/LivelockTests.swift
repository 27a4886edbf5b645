import RunLoopScript
import Testing

@testable import RunLoopExplorer

/// Runs that have no end: told when it is certain, and never when it is chance.
@Suite struct LivelockTests {
  private func explore(_ source: String, _ change: (inout ExploreOptions) -> Void = { _ in }) -> ExploreReport {
    var options = ExploreOptions()
    change(&options)
    return Explorer(script(source), options) { 0 }.explore()
  }

  private func script(_ source: String) -> ScriptOptions {
    ScriptOptions(source: Array(source.utf8), chunkName: "test.lua")
  }

  private static let polite = """
    local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
    local function take(first, second)
      while true do
        first:lock()
        if second:tryLock() then break end
        first:unlock()
      end
      second:unlock() first:unlock()
    end
    local p = rl.thread("p", function() take(a, b) end)
    local q = rl.thread("q", function() take(b, a) end)
    p:start() q:start() p:join() q:join()
    """

  @Test func twoThatGiveWayToEachOther() throws {
    let report = explore(Self.polite)
    #expect(report.verdict == .fails)
    #expect(report.findings.map(\.kind) == ["livelock"])
    // Both have to be preempted with a lock in hand: once p after its lock, once q after its own.
    let finding = try #require(report.findings.first)
    #expect(finding.preemptions == 2)
    #expect(finding.wasReplayed)
    #expect(
      finding.details == [
        "thread=p repeats=\"lock a at test.lua:4, tryLock b at test.lua:5, unlock a at test.lua:6\"",
        "thread=q repeats=\"lock b at test.lua:4, tryLock a at test.lua:5, unlock b at test.lua:6\"",
      ])
    let schedule = try Schedule(text: finding.schedule)
    let replay = Replay(script(Self.polite), schedule.settings)
    #expect(replay.go(schedule).kind == .ended(.fault))
  }

  /// The waiter may spin as often as it likes before the other one sets the flag: nothing is wrong with that.
  @Test func aSpinUntilAFlagIsSetIsNone() {
    let report = explore(
      """
      local flag = rl.atomic{ name = "flag", value = 0 }
      local t = rl.thread("t", function() while flag:load() == 0 do rl.yield() end end)
      local s = rl.thread("s", function() flag:store(1) end)
      t:start() s:start() t:join() s:join()
      """)
    #expect(report.verdict == .holds)
    // The flag is seen at once, or after one round; a second round would begin where the first did.
    #expect(report.schedules == 2)
    #expect(report.cameBack == 1)
  }

  @Test func aSpinThatDoesNothingButGiveWayIsNoneEither() {
    let report = explore(
      """
      local x, done = rl.atomic{ name = "x", value = 0 }, false
      local t = rl.thread("t", function() while not done do rl.yield() end end)
      local s = rl.thread("s", function() x:add(1) done = true end)
      t:start() s:start() t:join() s:join()
      """)
    #expect(report.verdict == .holds)
  }

  @Test func aFlagThatIsNotSetUnderSomeSchedules() {
    let report = explore(
      """
      local flag, stop = rl.atomic{ name = "flag", value = 0 }, rl.atomic{ name = "stop", value = 0 }
      local t = rl.thread("t", function() while flag:load() == 0 do rl.yield() end end)
      local s = rl.thread("s", function() if stop:load() == 0 then flag:store(1) end end)
      t:start() s:start() stop:store(1) t:join() s:join()
      """)
    #expect(report.findings.map(\.kind) == ["livelock"])
    #expect(report.findings.first?.details == ["thread=t repeats=\"load flag at test.lua:2\""])
    // Once s has read that it is to stop there is no way out.
    #expect(report.findings.first?.criticalStep?.contains("stop at test.lua:4") == true)
  }

  /// Each of them goes round by itself; only together do they leave nobody out.
  @Test func severalThatSpin() {
    let report = explore(
      """
      local flag = rl.atomic{ name = "flag", value = 0 }
      local function spin() while flag:load() == 0 do end end
      local t, s = rl.thread("t", spin), rl.thread("s", spin)
      t:start() s:start() t:join() s:join()
      """)
    #expect(report.findings.map(\.kind) == ["livelock"])
    #expect(report.findings.first?.details.count == 2)
  }

  @Test func whatIsDueNeverComes() {
    let report = explore(
      """
      local flag = rl.atomic{ name = "flag", value = 0 }
      local t = rl.thread("t", function() while flag:load() == 0 do rl.yield() end end)
      local s = rl.thread("s", function() rl.sleep(1) flag:store(1) end)
      t:start() s:start() t:join() s:join()
      """)
    #expect(report.findings.map(\.kind) == ["livelock"])
    #expect(report.findings.first?.loops.first?.contains("what is due at 1.000000000 never comes") == true)
  }

  /// Tables that are made in the circle and dropped are no part of the state.
  @Test func garbageIsNoState() {
    let report = explore(
      """
      local flag = rl.atomic{ name = "flag", value = 0 }
      local t = rl.thread("t", function() while ({ flag:load() })[1] == 0 do rl.yield() end end)
      t:start() t:join()
      """)
    #expect(report.findings.map(\.kind) == ["livelock"])
  }

  /// A local variable is: each round differs from the one before.
  @Test func aCountIsState() {
    let report = explore(
      """
      local flag = rl.atomic{ name = "flag", value = 0 }
      local t = rl.thread("t", function()
        local rounds = 0
        while flag:load() == 0 and rounds < 1500 do rounds = rounds + 1 end
      end)
      t:start() t:join()
      """)
    #expect(report.findings.isEmpty)
    #expect(report.cameBack == 0)
  }

  @Test func aReplayThatWouldGoRoundForEverSaysSo() throws {
    let source = """
      local flag = rl.atomic{ name = "flag", value = 0 }
      local t = rl.thread("t", function() while flag:load() == 0 do rl.yield() end end)
      local s = rl.thread("s", function() flag:store(1) end)
      t:start() s:start() t:join() s:join()
      """
    let outcome = Replay(script(source), .init()).go(NamedSchedule(decisions: [], settings: .init()))
    #expect(outcome.kind == .limit)
    #expect(outcome.message?.hasSuffix("the run goes round for ever") == true)
  }

  @Test func aRunThatAnErrorLeavesIsALeak() {
    let report = explore(
      """
      local x = rl.atomic{ name = "x", value = 0 }
      local t = rl.thread("t", function()
        local loop = rl.currentLoop()
        loop:scheduleTimer{ name = "tick", fireAt = 1, fire = function() if x:load() == 0 then error("odd") end end }
        pcall(function() loop:runInMode("default", 2) end)
      end)
      t:start()
      rl.sleep(1)
      x:store(1)
      t:join()
      """)
    #expect(report.findings.map(\.kind) == ["leak"])
    #expect(
      report.findings.first?.details == [
        "thread t: an error left the run in mode default at test.lua:5; no loop undoes such a run"
      ])
  }

  @Test func theReportSaysWhoCouldHaveWokenALoop() {
    let report = explore(
      """
      local ready = rl.semaphore{ name = "ready" }
      local worker = rl.thread("worker", function()
        rl.currentLoop():addSource(rl.source{ name = "keepAlive" })
        ready:signal()
        rl.currentLoop():run()
      end)
      worker:start()
      ready:wait()
      worker:loop():stop()
      worker:join()
      """)
    #expect(report.findings.map(\.kind) == ["stuck"])
    #expect(
      report.findings.first?.loops == [
        "worker sleeps in its run loop at test.lua:5, mode default, with source keepAlive (silent)",
        "  main: stop worker at test.lua:9, step 6: lost, nothing ran the loop then",
      ])
  }
}
