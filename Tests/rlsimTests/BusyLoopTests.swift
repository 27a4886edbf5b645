import Foundation
import Testing

/// A thread that polls without waiting: where it stands, whom it keeps waiting, and what to do are told.
@Suite struct BusyLoopTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  private static let worker = "local worker = rl.thread('worker', function() rl.log('ready') end)\nworker:start()\n"

  private func run(_ script: String, _ options: String...) throws -> Executable.Result {
    try rlsim.write("busy.lua", script)
    return try rlsim.run(["busy.lua", "-q"] + options)
  }

  @Test(arguments: [
    ("rl.currentLoop():runInMode('default', 0)", "mode=default passes=10000 at=busy.lua:4 ready=worker"),
    ("rl.currentLoop():runMode('nowhere', 1)", "passes=10000 at=busy.lua:4 ready=worker"),
    ("rl.currentLoop():runUntil(rl.now())", "mode=default passes=10000 at=busy.lua:4 ready=worker"),
  ]) func theFaultNamesThePlaceAndWhoWasReady(poll: String, keys: String) throws {
    defer { rlsim.remove() }
    let result = try run(Self.worker + "while not worker:isFinished() do\n  \(poll)\nend\n")
    #expect(result.code == 1)
    #expect(result.lines.first == "0.000000000 main fault busyLoop thread=main \(keys)")
    #expect(result.errors.hasPrefix("rlsim: busy.lua:4: main runs its loop again and again, 10000 times without"))
    #expect(result.errors.contains("meanwhile worker was ready and got no turn"))
    #expect(result.errors.contains("Call rl.yield() in the loop"))
  }

  /// What the message advises helps.
  @Test func aLoopThatYieldsIsNoBusyOne() throws {
    defer { rlsim.remove() }
    let poll = "while not worker:isFinished() do\n  rl.currentLoop():runInMode('default', 0)\n"
    #expect(try run(Self.worker + poll + "  rl.yield()\nend\n").code == 0)
    #expect(try run(Self.worker + poll + "end\n", "--seed", "1").code == 0)
  }

  @Test func aRunInsideOfACallbackIsTheOneThatIsTold() throws {
    defer { rlsim.remove() }
    let result = try run(
      """
      local loop = rl.currentLoop()
      loop:scheduleTimer{ name = "t", interval = 1, fire = function()
        while true do
          loop:runMode("inner", rl.now())
        end
      end }
      loop:run()
      """)
    #expect(result.lines.first?.hasSuffix("mode=default passes=10000 at=busy.lua:4") == true, "\(result.output)")
  }

  @Test func thoseThatWaitForALaterMomentAreNamed() throws {
    defer { rlsim.remove() }
    let result = try run(
      """
      local sleeper = rl.thread("sleeper", function() rl.sleep(1) end)
      sleeper:start()
      rl.yield()
      while not sleeper:isFinished() do
        rl.currentLoop():runInMode("default", 0)
      end
      """)
    #expect(result.lines.first?.hasSuffix("passes=10000 at=busy.lua:5") == true)
    #expect(result.errors.contains("sleeper waits for a later moment, which does not come"))
  }

  @Test func anEmptyModeIsNamedAsTheReason() throws {
    defer { rlsim.remove() }
    let result = try run("while true do\n  rl.currentLoop():runMode('empty', rl.distantFuture)\nend\n")
    #expect(result.errors.contains("each run ends at once, as there is nothing in its mode to wait for\n"))
  }

  /// Not only runs of a loop keep others waiting.
  @Test(arguments: [
    ("worker:isFinished()", ["--max-steps", "100K"], "more than 100000 steps (--max-steps)"),
    ("done", ["--max-instructions", "1M"], "Lua instructions between two scheduling points (--max-instructions)"),
  ]) func aLimitThatASpinningThreadReachesSaysTheSame(condition: String, options: [String], words: String) throws {
    defer { rlsim.remove() }
    try rlsim.write("busy.lua", Self.worker + "local done\nwhile not \(condition) do\nend\n")
    let result = try rlsim.run(["busy.lua", "-q"] + options)
    #expect(result.code == 4)
    #expect(result.errors.hasPrefix("rlsim: busy.lua:4: "), "\(result.errors)")
    #expect(result.errors.contains(words))
    #expect(result.errors.contains("; meanwhile worker was ready and got no turn"))
  }

  /// A limit that is reached while all have their turns is nobody's fault.
  @Test func aLimitWithoutASpinningThreadIsToldAsBefore() throws {
    defer { rlsim.remove() }
    let result = try run(
      """
      rl.detach("other", function() while true do rl.yield() end end)
      while true do rl.yield() end
      """, "--max-steps", "100K")
    #expect(result.errors.hasPrefix("rlsim: more than 100000 steps (--max-steps)\n"))
  }

  @Test func manyReadyThreadsAreCounted() throws {
    defer { rlsim.remove() }
    let result = try run(
      """
      for i = 1, 7 do rl.thread("t" .. i, function() end):start() end
      while true do rl.currentLoop():runMode("empty", 1) end
      """)
    #expect(result.lines.first?.hasSuffix(" ready=t1,t2,t3,+4") == true)
  }
}
