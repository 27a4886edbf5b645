import Testing

@testable import RunLoopExplorer

/// What threads do between two steps, where the order of threads shows: the reduced exploration sees all that the full one
/// sees, and no more runs are taken where nothing shows.
@Suite struct BetweenStepsTests {
  /// Two threads that each take a step, which have nothing to do with each other, and then do something.
  private func twoThreads(_ setup: String, _ first: String, _ second: String) -> String {
    """
    local a, b = rl.atomic{ name = "a" }, rl.atomic{ name = "b" }
    local lp = rl.currentLoop()
    \(setup)
    local t = rl.thread("t", function() a:load() \(first) end)
    t:start()
    b:load() \(second)
    t:join()
    """
  }

  /// - Returns: the traces that the reduced exploration takes.
  private func bothSeeTheSame(_ source: String) -> ExploreReport {
    let (reduced, report) = explored(source, reduces: true)
    let (full, fullReport) = explored(source, reduces: false)
    #expect(report.whyNotReduced == nil)
    #expect(report.isExhausted)
    #expect(reduced.foundTheSame(as: full), "\(reduced.difference(from: full))")
    #expect(report.interleavings == fullReport.interleavings)
    return report
  }

  @Test(
    arguments: [
      // One thread object, from two threads.
      ("local u = rl.thread('u', function() end)", "rl.log(pcall(u.start, u))", "rl.log(pcall(u.start, u))"),
      ("local u = rl.thread('u', function() end) u:start()", "rl.log(pcall(u.join, u))", "rl.log(pcall(u.join, u))"),
      ("local u = rl.thread('u', function() end) u:start()", "rl.log(pcall(u.detach, u))", "rl.log(pcall(u.join, u))"),
      ("local u = rl.thread('u', function() end)", "u:start()", "rl.log(pcall(u.setStackSize, u, 65536))"),
      // The first use of a loop, and its end.
      ("", "rl.currentLoop()", "rl.log(t:loop())"),
      // Automatic names, and numbers that tell values apart.
      ("", "rl.log(rl.mutex{}.name)", "rl.log(rl.mutex{}.name)"),
      ("", "rl.log({})", "rl.log({})"),
      ("local k, l = {}, {}", "rl.synchronized(k, print)", "rl.synchronized(l, print)"),
      // What is no object.
      ("", "rl.log(math.random(1000))", "rl.log(math.random(1000))"),
      ("", "math.randomseed(7)", "rl.log(math.random(1000))"),
      ("", "rl.log(rl.currentThread():priority())", "t:setPriority(0.9)"),
      ("", "rl.messagePort{ name = 'z' }", "rl.log(pcall(rl.messagePort, { name = 'z' }))"),
      ("", "rl.trace{ hide = 'log' }", "rl.log('seen?')"),
      // Looks at what others change.
      ("local p = rl.port{ name = 'p' } lp:addPort(p)", "p:invalidate()", "rl.log(p:isValid())"),
      (
        "local p = rl.timer{ name = 'p', after = 1 } lp:addTimer(p)", "p:setNextFireDate(5)", "rl.log(p:nextFireDate())"
      ),
      ("", "rl.mainLoop:addSource(rl.source{ name = 's' }, 'extra')", "rl.log(#lp:modes())"),
      ("", "rl.notifications:addObserver('n', 'q', print)", "rl.notifications:post('n', 'q')"),
      // What is in the dictionary of a thread.
      ("", "rl.mainThread.dictionary.x = 1", "rl.log(rl.mainThread.dictionary.x)"),
      ("", "rl.currentThread().dictionary.x = 1", "rl.log(t.dictionary.x)"),
      (
        "rl.mainThread.dictionary.n = 0", "rl.mainThread.dictionary.n = rl.mainThread.dictionary.n + 1 a:load()",
        "rl.log(rl.mainThread.dictionary.n) b:load() rl.log(rl.mainThread.dictionary.n)"
      ),
    ])
  func theOrderShows(setup: String, first: String, second: String) {
    let report = bothSeeTheSame(twoThreads(setup, first, second))
    #expect(report.traces >= 2)
  }

  @Test(
    arguments: [
      ("", "rl.mutex{ name = 'm' }", "rl.mutex{ name = 'n' }"),
      ("", "rl.mutex{}", "rl.semaphore{}"),
      (
        "", "local m = rl.mutex{ name = 'm' } m:lock() m:unlock()",
        "local m = rl.mutex{ name = 'n' } m:lock() m:unlock()"
      ),
      ("", "rl.mutex{} rl.mutex{}", ""),
      ("", "rl.once('p', print)", "rl.once('q', print)"),
      ("", "rl.log(math.random(9))", ""),
      ("local p = rl.port{ name = 'p' } lp:addPort(p)", "rl.log(p:isValid())", "rl.log(p:isValid())"),
      ("", "rl.log(rl.currentThread():loop())", "rl.log(rl.currentThread():loop())"),
      ("", "rl.currentThread().dictionary.x = 1", "rl.mainThread.dictionary.x = 1"),
      ("local k = { 1 }", "rl.currentThread().dictionary.x = k", "rl.currentThread().dictionary.y = k"),
    ])
  func theOrderDoesNotShow(setup: String, first: String, second: String) {
    #expect(bothSeeTheSame(twoThreads(setup, first, second)).traces == 1)
  }

  /// What a guarded function changes comes before or after another thread's look, or not at all when the other caller was
  /// first: three traces.
  @Test(
    arguments: [
      ("rl.once('o', function() at:add(1) end)", "rl.once('o', function() end)"),
      (
        "rl.synchronized('k', function() if n:add(1) == 1 then at:add(1) end end)",
        "rl.synchronized('k', function() n:add(1) end)"
      ),
    ])
  func whatAGuardedFunctionDoesIsNoPartOfTheRelease(first: String, second: String) {
    let report = bothSeeTheSame(guarded(first, second))
    #expect(report.traces == 3)
    #expect(report.findings.count == 1)
  }

  /// A table in a dictionary that another thread reaches could be kept, and changed when nobody sees it.
  @Test(arguments: ["k", "print"]) func whatHasContentsInASharedDictionaryTurnsTheReductionOff(value: String) {
    let source = twoThreads(
      "local k = { 1 }", "rl.mainThread.dictionary.x = \(value)", "rl.log(rl.mainThread.dictionary.x == nil)")
    let (reduced, report) = explored(source, reduces: true)
    let (full, _) = explored(source, reduces: false)
    #expect(report.whyNotReduced?.contains("in the dictionary of a thread that others use") == true)
    #expect(reduced.foundTheSame(as: full), "\(reduced.difference(from: full))")
  }

  /// The lock is then given back with the function's last step, so every interleaving is taken.
  @Test func anErrorThatLeavesAGuardTurnsTheReductionOff() {
    let source = guarded(
      "pcall(rl.once, 'o', function() at:add(1) error('x') end)", "pcall(rl.once, 'o', function() error('y') end)")
    let (reduced, report) = explored(source, reduces: true)
    let (full, _) = explored(source, reduces: false)
    #expect(report.whyNotReduced?.contains("an error that leaves rl.synchronized or rl.once") == true)
    #expect(reduced.foundTheSame(as: full), "\(reduced.difference(from: full))")
    #expect(report.findings.count == 1)
  }

  private func guarded(_ first: String, _ second: String) -> String {
    """
    local at, n = rl.atomic{ name = "at" }, rl.atomic{ name = "n" }
    local r = rl.thread("r", function() rl.expect(at:load() == 0, "late") end)
    local t = rl.thread("t", function() \(first) end)
    local w = rl.thread("w", function() \(second) end)
    r:start() t:start() w:start() r:join() t:join() w:join()
    """
  }

  @Test func aThreadIsKnownByWhoMadeIt() {
    // What is made by a thread has another handle when the other one comes first.
    let make = "local m = rl.mutex{ name = NAME } sh:set(1) m:lock() m:unlock()"
    let source = twoThreads(
      "local sh = rl.shared{ name = 'sh', value = 0 }",
      make.split(separator: "NAME").joined(separator: "'m'"), make.split(separator: "NAME").joined(separator: "'n'"))
    #expect(bothSeeTheSame(source).traces == 2)
  }

  @Test func whoeverEndsLastEndsTheProcess() {
    let source = """
      local a, b = rl.atomic{ name = "a" }, rl.atomic{ name = "b" }
      local t = rl.thread("t", function() a:load() end)
      t:start()
      b:load()
      rl.detach("d", function() rl.log("d began") b:add(1) rl.log("d ended") end)
      """
    _ = bothSeeTheSame(source)
  }

  @Test func aThreadIsDetachedBeforeItsEndOrAfterIt() {
    let source = """
      local a, p = rl.atomic{ name = "a" }, rl.atomic{ name = "p" }
      local u = rl.thread{ name = "u", joinable = true, entry = function() a:add(1) end }
      u:start()
      p:load() u:detach() p:load()
      """
    // u ends before it is detached, after that, or is cut off by main's end. No two interleavings are the same trace.
    let report = bothSeeTheSame(source)
    #expect(report.traces == 3)
    #expect(report.interleavings == 3)
  }

  @Test func aFailedExpectationDoesNotHideWhoIsCutOff() {
    let source = """
      local a, b = rl.atomic{ name = "a" }, rl.atomic{ name = "b" }
      rl.detach("d", function() a:add(1) end)
      local t = rl.thread("t", function() b:load() rl.expect(false, "no") end)
      t:start() t:join()
      """
    #expect(bothSeeTheSame(source).traces == 2)
  }

  /// Which of several ends is the last depends on what was detached before.
  @Test(
    arguments: [
      """
      local t = rl.thread("t", function() p:load() rl.detach("d", function() a:add(1) end) a:add(1) end)
      t:start()
      rl.detach("d", function() a:add(1) end)
      rl.currentLoop():runInMode("default", 0)
      """,
      """
      local u = rl.thread{ name = "u", joinable = true, entry = function() a:add(1) end }
      u:start()
      local t = rl.thread("t", function() rl.once("x", function() end) end)
      t:start()
      p:load() rl.log(pcall(u.detach, u)) p:load()
      """,
      """
      local u = rl.thread{ name = "u", joinable = true, entry = function() b:add(1) end }
      u:start()
      local t = rl.thread("t", function()
        if rl.synchronized("k", function() return a:load() == 2 end) then b:add(1) end
      end)
      local v = rl.thread("v", function() if rl.mutex{}.name == "mutex1" then a:add(1) else a:load() end end)
      t:start() v:start()
      if pcall(u.detach, u) then rl.expect(b:load() == 1, "late") else a:add(1) end
      t:join() v:join()
      """,
      """
      local u = rl.thread{ name = "u", joinable = true, entry = function() end }
      u:start()
      local t = rl.thread("t", function() rl.once("o", function() end) b:load() end)
      local v = rl.thread("v", function() rl.remotePort("new") end)
      t:start() v:start()
      rl.remotePort("svc") a:load()
      if pcall(u.detach, u) then b:load() else b:add(1) end
      t:join() v:join()
      """,
      // Nobody waits for u, which ends as it is started when it was cancelled before.
      """
      local u = rl.thread{ name = "u", joinable = true, entry = function() a:add(1) end }
      local t = rl.thread("t", function() a:load() b:load() end)
      local v = rl.thread("v", function() p:load() u:cancel() end)
      t:start() v:start()
      u:detach() b:add(1) u:start() b:load()
      t:join() v:join()
      """,
      // Some run has time to pass before its end.
      """
      local u = rl.thread{ name = "u", joinable = false, entry = function() a:add(1) end }
      u:start()
      local t = rl.thread("t", function() p:load() b:add(1) end)
      local s = rl.thread("s", function() rl.sleep(0.2) end)
      t:start() s:start() t:join() s:join()
      """,
    ])
  func whoEndsLastDependsOnMuch(source: String) {
    let cells = "local a, b, p = rl.atomic{ name = 'a' }, rl.atomic{ name = 'b' }, rl.atomic{ name = 'p' }\n"
    _ = bothSeeTheSame(cells + source)
  }

  @Test func twoProcessorsAndAJoin() {
    let source = """
      rl.machine{ cores = 2 }
      local p = rl.atomic{ name = "p" }
      local t, u = rl.thread("t", function() p:load() end), rl.thread("u", function() p:load() end)
      t:start() u:start() p:load() t:join() u:join()
      """
    // Three looks, in any order.
    #expect(bothSeeTheSame(source).interleavings == 6)
  }

  /// "x" and 1 against "y" and 0: keys that differ in one bit, as the kinds of lock do.
  @Test func keysOfDifferentKindsAreDifferentLocks() {
    let source = twoThreads("", "rl.once('x', function() end)", "rl.synchronized('y', function() a:load() end)")
    #expect(bothSeeTheSame(source).traces == 1)
  }

  @Test func theLastStepHasToDoWithEverythingByItself() {
    let source = """
      local a, b = rl.atomic{ name = "a" }, rl.atomic{ name = "b" }
      local p = rl.messagePort{ name = "p" }
      rl.detach("d", function() a:load() end)
      local t = rl.thread("t", function() b:load() p:invalidate() end)
      t:start()
      """
    // The detached thread ends in time, or is cut off.
    #expect(bothSeeTheSame(source).traces == 2)
  }

  @Test func threadsThatAreDueAtTheSameMoment() {
    let source = twoThreads("", "rl.sleep(1) WHAT", "rl.sleep(1) WHAT")
    let named = source.split(separator: "WHAT").joined(separator: "rl.mutex{ name = 'm' }")
    #expect(bothSeeTheSame(named).traces == 1)
    // Which of them goes on first is decided by no step that has to do with the other.
    let unnamed = source.split(separator: "WHAT").joined(separator: "rl.log(rl.mutex{}.name)")
    let (reduced, report) = explored(unnamed, reduces: true)
    #expect(report.whyNotReduced?.contains("which of those due at the same moment goes on first") == true)
    let (full, _) = explored(unnamed, reduces: false)
    #expect(reduced.foundTheSame(as: full))
  }

  @Test(
    arguments: [
      ("rl.machine{ cores = 1 }", "rl.work(1) rl.log('t')", "rl.work(1) rl.log('main')"),
      ("rl.machine{ cores = 1, quantum = 0.3 }", "rl.work(1) a:add(1)", "rl.work(1) b:add(1)"),
      ("rl.machine{ cores = 1 }", "rl.work(1) rl.log('t')", "t:setPriority(0.9) rl.work(1) rl.log('main')"),
    ])
  func processorsAreShared(setup: String, first: String, second: String) {
    #expect(bothSeeTheSame(twoThreads(setup, first, second)).traces >= 2)
  }

  @Test func aSpinUnderFewProcessorsIsSeenToHaveNoEnd() {
    let source = """
      rl.machine{ cores = 1 }
      local a = rl.atomic{ name = "a" }
      local function spin() while a:load() == 0 do rl.yield() end end
      local p, q = rl.thread("p", spin), rl.thread("q", spin)
      p:start() q:start() p:join() q:join()
      """
    let (_, report) = explored(source, reduces: true)
    #expect(report.findings.map(\.kind) == ["livelock"])
    #expect(report.isExhausted)
  }
}
