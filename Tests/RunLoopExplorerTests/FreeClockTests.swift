import Testing

@testable import RunLoopExplorer

/// `--time free`: the clock goes on while threads are held back, and what is due overtakes them.
@Suite struct FreeClockTests {
  private func explore(_ source: String, reduces: Bool = true, isFree: Bool = true) -> (Explorer, ExploreReport) {
    explored(source, reduces: reduces, isFree: isFree)
  }

  private func bothSeeTheSame(_ source: String) -> ExploreReport {
    let (reduced, report) = explore(source)
    let (full, fullReport) = explore(source, reduces: false)
    #expect(report.whyNotReduced == nil)
    #expect(report.isExhausted)
    #expect(reduced.foundTheSame(as: full), "\(reduced.difference(from: full))")
    #expect(report.traces == fullReport.traces)
    #expect(report.interleavings == fullReport.interleavings)
    return report
  }

  /// What is in time when nobody is held back, and late when somebody is.
  @Test(
    arguments: [
      // A signal that is waited for.
      """
      local s = rl.semaphore{ name = "s" }
      local t = rl.thread("t", function() s:signal() end)
      t:start()
      rl.expect(s:wait(0.1), "late")
      t:join()
      """,
      // A lock that somebody holds who is soon done.
      """
      local m, a = rl.mutex{ name = "m" }, rl.atomic{ name = "a" }
      local t = rl.thread("t", function() m:lock() a:add(1) m:unlock() end)
      t:start()
      a:load()
      if m:lockBefore(rl.now() + 0.1) then m:unlock() else rl.expect(false, "late") end
      t:join()
      """,
      // A block that stops the loop before the timer fires.
      """
      local loop = rl.currentLoop()
      loop:scheduleTimer{ name = "limit", after = 1, fire = function() rl.expect(false, "late") end }
      local t = rl.thread("t", function() loop:performBlock(function() loop:stop() end) loop:wakeUp() end)
      t:start()
      loop:runInMode("default", 5)
      t:join()
      """,
      // A date that is made while the clock may go on.
      """
      local a = rl.atomic{ name = "a" }
      local t = rl.thread("t", function() a:load() rl.sleep(0.1) a:store(1) end)
      t:start()
      rl.sleep(0.2)
      rl.expect(a:load() == 1, "late")
      t:join()
      """,
    ])
  func whatIsInTimeMayBeLate(source: String) {
    #expect(explore(source, isFree: false).1.findings.allSatisfy { $0.kind != "expectation" })
    let report = bothSeeTheSame(source)
    #expect(report.isExhausted)
    #expect(report.findings.contains { $0.kind == "expectation" })
    #expect(report.findings.allSatisfy { $0.runs < report.schedules })
  }

  @Test func withFewProcessorsNothingIsReduced() {
    let source = """
      rl.machine{ cores = 1 }
      local a = rl.atomic{ name = "a" }
      local t = rl.thread("t", function() a:load() end)
      local u = rl.thread("u", function() rl.work(0.1) a:add(1) end)
      t:start() u:start() t:join() u:join()
      """
    let (reduced, report) = explore(source)
    #expect(report.whyNotReduced?.contains("--time free with few cores") == true)
    #expect(report.isExhausted)
    #expect(reduced.foundTheSame(as: explore(source, reduces: false).0))
  }

  /// The clock stops when nothing is due any more, and the process may end before something is.
  @Test(
    arguments: [
      """
      local s, a = rl.semaphore{ name = "s" }, rl.atomic{ name = "a" }
      local t = rl.thread("t", function() rl.log(s:wait(0.1)) a:add(1) end)
      t:start()
      s:signal() a:add(1)
      t:join()
      """,
      """
      local a = rl.atomic{ name = "a" }
      rl.detach("d", function() rl.sleep(0.1) a:add(1) end)
      local t = rl.thread("t", function() rl.sleep(0.1) a:add(1) end)
      t:start()
      rl.log(a:load())
      """,
      """
      local loop, a = rl.currentLoop(), rl.atomic{ name = "a" }
      local timer = loop:scheduleTimer{ name = "tick", after = 0.1, interval = 0.1, fire = function() a:add(1) end }
      local t = rl.thread("t", function() a:add(1) timer:invalidate() end)
      t:start()
      loop:runInMode("default", 0.15)
      """,
      """
      local c, m = rl.condition{ name = "c" }, rl.atomic{ name = "m" }
      local t = rl.thread("t", function() c:lock() rl.log(c:waitUntil(rl.now() + 0.1)) c:unlock() end)
      t:start()
      c:lock() c:signal() c:unlock()
      rl.log(rl.now())
      """,
    ])
  func theClockStopsAndTheProcessEnds(source: String) {
    #expect(bothSeeTheSame(source).traces > 1)
  }
}
