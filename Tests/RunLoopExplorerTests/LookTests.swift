import Testing

@testable import RunLoopExplorer

/// A look at what another thread may change is a step: it comes before that and after it, also where neither thread has
/// taken a step before.
@Suite struct LookTests {
  /// Whether what is looked at is so in some interleavings and in some not; and both explorations see the same.
  private func expectBoth(_ source: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for wanted in ["seen", "not seen"] {
      let text = source.replacing("SEEN", with: wanted)
      let (reduced, report) = explored(text, reduces: true)
      let (full, _) = explored(text, reduces: false)
      #expect(report.whyNotReduced == nil, sourceLocation: sourceLocation)
      #expect(report.isExhausted, sourceLocation: sourceLocation)
      #expect(report.findings.map(\.kind) == ["expectation"], "\(wanted)", sourceLocation: sourceLocation)
      #expect(
        reduced.foundTheSame(as: full), "\(reduced.difference(from: full))", sourceLocation: sourceLocation)
    }
  }

  @Test(
    arguments: [
      // What the thread does, and what the main thread sees of it. SEEN is what is expected.
      ("rl.currentLoop() rl.sleep(1)", "local seen = t:loop() ~= nil"),
      ("", "local seen = t:isFinished()"),
      ("", "local seen = t:isExecuting()"),
      ("p:invalidate()", "local seen = p:isValid()"),
      ("s:invalidate()", "local seen = s:isValid()"),
      ("o:invalidate()", "local seen = o:isValid()"),
      ("timer:invalidate()", "local seen = timer:isValid()"),
      ("timer:setTolerance(2)", "local seen = timer:tolerance() == 2"),
      ("timer:setNextFireDate(5)", "local seen = timer:nextFireDate() == 5"),
      ("lp:addTimer(timer, 'extra')", "local seen = #lp:modes() > 1"),
      ("timer:fire()", "local seen = timer:fireCount() > 0"),
      ("rl.currentThread():setPriority(0.25)", "local seen = t:priority() == 0.25"),
      ("rl.messagePort{ name = 'm' }", "local seen = rl.remotePort('m') ~= nil"),
      ("pcall(rl.messagePort, { name = 'm' })", "local seen = pcall(rl.messagePort, { name = 'm' })"),
      ("rl.portServer:register('q', p)", "local seen = rl.portServer:lookup('q') ~= nil"),
      ("rl.mainThread.dictionary.x = true", "local seen = rl.mainThread.dictionary.x == true"),
      ("p:invalidate()", "local seen = rl.describe():find('port p') ~= nil"),
    ])
  func itComesBeforeAndAfter(change: String, look: String) {
    expectBoth(
      """
      local lp = rl.currentLoop()
      local p, s = rl.port{ name = "p" }, rl.source{ name = "s" }
      local o = rl.observer{ name = "o" }
      local timer = rl.timer{ name = "timer", after = 9, interval = 9 }
      lp:addPort(p) lp:addSource(s) lp:addObserver(o) lp:addTimer(timer)
      local t = rl.thread("t", function() \(change) end)
      t:start()
      \(look)
      rl.expect(SEEN)
      t:join()
      """)
  }

  @Test func aThreadHasDoneItsWorkBeforeItHasEnded() {
    expectBoth(
      """
      local done = rl.atomic{ value = 0 }
      local t = rl.thread("t", function() done:store(1) end)
      t:start()
      if done:load() == 1 then
        local seen = t:isFinished()
        rl.expect(SEEN)
      end
      t:join()
      """)
  }

  @Test func ofTwoThreadsThatStartAThirdOneIsTheFirst() {
    expectBoth(
      """
      local u = rl.thread("u", function() end)
      local function starter() local seen = pcall(u.start, u) return seen end
      local p = rl.thread("p", function() local seen = starter() rl.expect(SEEN) end)
      local q = rl.thread("q", function() starter() end)
      p:start() q:start() p:join() q:join() u:join()
      """)
  }

  /// Whether the caller waits already when the reply comes shows in what its loop does next.
  @Test func aReplyComesBeforeTheCallerWaitsAndAfter() {
    let source = """
      local ready = rl.semaphore{}
      local server = rl.thread("server", function()
        local port = rl.messagePort{ name = "m", receive = function() return "pong" end }
        rl.currentLoop():addSource(port)
        ready:signal()
        rl.currentLoop():runInMode("default", 1)
      end)
      server:start()
      ready:wait()
      local remote = rl.remotePort("m")
      rl.log(remote:request(1, "ping", { receiveTimeout = 1, replyMode = "default" }))
      server:join()
      """
    let (reduced, report) = explored(source, reduces: true)
    let (full, _) = explored(source, reduces: false)
    #expect(report.verdict == .holds)
    #expect(reduced.foundTheSame(as: full), "\(reduced.difference(from: full))")
  }

  /// A request finds a loop or none; with few processors, what follows from it shows.
  @Test func aRequestComesBeforeTheLoopIsMadeAndAfter() {
    let source = """
      rl.machine{ cores = 2, quantum = 0.1 }
      local at, p0 = rl.atomic{ name = "at" }, rl.atomic{ name = "p0" }
      local u = rl.thread("u", function() rl.currentLoop() at:load() end)
      u:start()
      local a = rl.thread{ name = "a", joinable = true, priority = 0.2, entry = function() p0:load() end }
      local b = rl.thread{ name = "b", joinable = true, priority = 0.8, entry = function() u:perform(print) end }
      a:start() b:start() a:join() b:join() u:join()
      """
    let (reduced, report) = explored(source, reduces: true)
    let (full, _) = explored(source, reduces: false)
    #expect(report.verdict == .holds)
    #expect(reduced.foundTheSame(as: full), "\(reduced.difference(from: full))")
  }

  /// There no thread can wait for its turn, so the look comes at once.
  @Test func aLookWithinAFunctionOfCIsNoStep() {
    let (_, report) = explored(
      """
      local a, b = rl.timer{ after = 2 }, rl.timer{ after = 1 }
      local x = rl.atomic{ value = 0 }
      local t = rl.thread("t", function() x:add(1) end)
      t:start()
      x:add(1)
      local list = { a, b }
      table.sort(list, function(p, q) return p:nextFireDate() < q:nextFireDate() end)
      rl.expect(list[1] == b and ("x"):gsub("x", function() return a.name .. tostring(a:isValid()) end) == "timer1true")
      t:join()
      """, reduces: true)
    #expect(report.verdict == .holds)
  }
}
