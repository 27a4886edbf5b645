import Testing

@testable import RunLoopExplorer

/// Runs that end while threads could go on, and looks that come before what they would have seen: nothing is left out.
@Suite struct CutOffTests {
  @Test(arguments: [
    // The detached thread adds before main looks, or is cut off by main's end.
    ("local a = rl.atomic{} rl.detach('u', function() a:add(3) end) rl.expect(a:load() < 3, 'x')", ["expectation"]),
    // It is cut off before a lock that main still holds in its last step.
    (
      """
      local c = rl.condition{}
      rl.detach('u', function() c:lock() rl.expect(false, 'x') c:unlock() end)
      c:lock() c:unlock()
      """, ["expectation"]
    ),
    // An error of main ends the run before the other's second step, or after it.
    (
      """
      local a = rl.atomic{}
      local t = rl.thread('t', function() a:load() a:add(3) end)
      t:start()
      if a:load() == 0 then error('stop', 0) end
      t:join()
      """, ["error"]
    ),
    // Main adds first: its own claim fails, and then the other's error ends the run. Or second, and all is well.
    (
      """
      local a = rl.atomic{}
      local t = rl.thread('t', function() if a:add(1) == 2 then error('stop', 0) end end)
      t:start()
      if a:add(1) == 1 then rl.expect(false, 'x') end
      t:join()
      """, ["error", "expectation"]
    ),
    // A look at a lock's number is no lock: it comes before the other's lock, or after its unlock.
    (
      """
      local c = rl.conditionLock{}
      local t = rl.thread('t', function() c:lock() c:unlockWith(1) end)
      t:start() rl.expect(c:condition() == 0, 'x') t:join()
      """, ["expectation"]
    ),
    // Made by a thread that may itself be the last to take a step.
    (
      """
      local a = rl.atomic{}
      local t = rl.thread('t', function() a:load() rl.detach('u', function() a:add(3) end) end)
      t:start() a:load() rl.expect(a:load() < 3, 'x') t:join()
      """, ["expectation"]
    ),
    // One generator of random numbers for all threads.
    (
      """
      local a = rl.atomic{}
      local t = rl.thread('t', function() a:load() rl.expect(math.random(1, 2) == 1, 'x') end)
      t:start() a:load() math.random(1, 2) t:join()
      """, ["expectation"]
    ),
  ])
  func nothingIsLeftOut(source: String, kinds: [String]) {
    let (reduced, report) = explored(source, reduces: true)
    let (full, other) = explored(source, reduces: false)
    #expect(report.findings.map(\.kind) == kinds)
    #expect(other.findings.map(\.kind) == kinds)
    #expect(reduced.foundTheSame(as: full), "\(reduced.difference(from: full))")
    // In some runs all is well.
    #expect(report.findings.allSatisfy { $0.runs < report.schedules })
  }
}
