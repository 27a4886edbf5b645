import Foundation
import Testing

/// Faults name the thread and the place in the script that led to them.
@Suite struct FaultPlaceTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  private func run(_ script: String, _ options: String...) throws -> Executable.Result {
    try rlsim.write("x.lua", script)
    return try rlsim.run(["x.lua"] + options)
  }

  @Test func aStopThatIsNeverSeen() throws {
    defer { rlsim.remove() }
    let result = try run(
      """
      rl.mainLoop:scheduleTimer{ after = 0.1, fire = function()
        rl.mainLoop:stop()
      end }
      rl.mainLoop:run()
      """, "--semantics", "guide", "-q")
    #expect(
      result.lines.contains("0.100000000 main fault lostWakeup loop=main mode=default stopped=true at=x.lua:2"),
      "\(result.output)")
  }

  @Test func aTimerWithoutWidth() throws {
    defer { rlsim.remove() }
    let result = try run(
      """
      local w = rl.thread('w', function()
        rl.currentLoop():scheduleTimer{ name = 't', interval = 1e-10 }
        rl.currentLoop():runInMode('default', 1)
      end)
      w:start()
      w:join()
      """, "-q")
    #expect(result.code == 3)
    #expect(
      result.lines.contains {
        $0.hasSuffix(" - fault trap reason=aTimerIntervalBelowOneNanosecond timer=t thread=w at=x.lua:2")
      }, "\(result.output)")
    #expect(result.errors.hasPrefix("rlsim: x.lua:2: a trap ended the process: "), "\(result.errors)")
  }

  @Test func anObjectThatIsAutoreleasedOnceTooOften() throws {
    defer { rlsim.remove() }
    let result = try run(
      "local o = rl.object{ name = 'o' }\no:autorelease()\no:autorelease()\nrl.log('on')\n", "--hide", "thread")
    #expect(result.code == 3)
    #expect(
      result.output == """
        rlsim-trace 1 semantics=apple seed=none
        0.000000000 main log on
        0.000000000 main pool.drain top
        0.000000000 main dealloc o
        0.000000000 - fault trap reason=objectReleasedOnceTooOften object=o thread=main at=x.lua:3
        0.000000000 - end reason=fault detail=trap

        """)
    #expect(
      result.errors.hasPrefix(
        "rlsim: x.lua:3: a trap ended the process: object 'o' was autoreleased more often than it had references"))
  }

  /// Where the drain belongs: a callout's pool, one that a script has in hand, one around a function.
  @Test(arguments: [
    "rl.mainLoop:performBlock(function() o:autorelease() o:autorelease() end) rl.mainLoop:runInMode('default', 1)",
    "local p = rl.pool() o:autorelease() o:autorelease() p:drain() rl.log('on')",
    "pcall(rl.autoreleasePool, function() o:autorelease() o:autorelease() end) rl.log('on')",
    "rl.autoreleasePool(function() o:autorelease() rl.autoreleasePool(function() o:autorelease() end) end)",
  ]) func everyPoolEndsTheProcessThen(body: String) throws {
    defer { rlsim.remove() }
    let result = try run("local o = rl.object{ name = 'o' }\n\(body)\n", "--show", "log,memory")
    #expect(result.code == 3)
    #expect(
      result.lines.contains { $0.hasSuffix(" reason=objectReleasedOnceTooOften object=o thread=main at=x.lua:2") },
      "\(result.output)")
    #expect(!result.output.contains("log on"))
  }

  @Test func aRetainBeforeTheDrainMakesUpForIt() throws {
    defer { rlsim.remove() }
    let result = try run(
      "local o = rl.object{ name = 'o' }\no:autorelease()\no:autorelease()\no:retain()\n", "--show", "memory")
    #expect(result.code == 0)
    #expect(result.lines[1...2] == ["0.000000000 main pool.drain top", "0.000000000 main dealloc o"])
  }
}
