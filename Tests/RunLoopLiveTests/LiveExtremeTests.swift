import Foundation
import Testing

/// What is at the edge of numbers, texts and the system.
@Suite struct LiveExtremeTests {
  @Test func theLargestTolerancesAndSmallestScalesAreCompared() throws {
    for scale in ["1e-6", "1"] {
      let words = ["compare", "--with", "live", "--tolerance", "1e6", "--time-scale", scale]
      let result = try Program.run(words, script: "rl.log(1)")
      #expect(result.code == 0, "\(result.output)\(result.errors)")
      #expect(result.output.contains(" agree ("))
    }
  }

  @Test func theLargestScaleIsSleptThrough() throws {
    let result = try Program.run(["live", "--time-scale", "1e6", "--timeout", "0.3"], script: "rl.sleep(9e9)")
    #expect(result.code == 4)
    #expect(result.output.contains("end reason=limit detail=timeout"))
    #expect(result.errors.contains("main: sleeps at "))
  }

  @Test func whatEndsBeyondAllTimeIsEndedByTheRun() throws {
    // 292 years are 9,223,372,036 seconds; 100,000 of the script's have passed, in 0.1 real ones.
    for call in ["rl.work(9223300000)", "rl.sleep(9223300000)", "rl.sleep(math.huge)"] {
      let result = try Program.run(
        ["live", "--time-scale", "1e-6", "--until", "3e5"], script: "rl.sleep(1e5) \(call)")
      #expect(result.code == 0, "\(call): \(result.errors)")
      #expect(result.output.contains("end reason=until"))
    }
  }

  /// A script need not be UTF-8: Lua's strings are bytes.
  @Test func theBytesOfAScriptAreRunAsTheyAre() throws {
    let script = try Scratch(bytes: Array("rl.log(#'".utf8) + [0xE9] + Array("')\n".utf8))
    defer { script.remove() }
    for command in ["run", "live"] {
      let result = try Program.run([command, script.url.path])
      #expect(result.code == 0)
      #expect(result.output.contains(" main log 1\n"), "\(command)")
    }
  }

  #if os(Linux)
    /// There is room for the stacks of a few threads only: a gigabyte each.
    @Test func aRunEndsWhereTheSystemHasNoMoreThreads() throws {
      let script = try Scratch(
        """
        for number = 1, 12 do rl.thread("w" .. number, function() rl.sleep(0.2) end):start() end
        rl.log("started")
        """)
      defer { script.remove() }
      let result = try Program.run(
        ["live", "--timeout", "5", script.url.path], after: "ulimit -s 1000000 && ulimit -v 7000000")
      #expect(result.code == 4)
      #expect(result.output.hasSuffix(" - end reason=limit detail=threads\n"))
      #expect(result.errors.contains("rlsim: live: the system makes no thread for 'w"), "\(result.errors)")
      #expect(result.errors.contains("): the run ends here\n"))
    }
  #endif
}
