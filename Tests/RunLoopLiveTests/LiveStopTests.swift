import Foundation
import Testing

/// A live run that is ended from outside while a thread computes in Lua, or holds everything up.
@Suite struct LiveStopTests {
  private static let spinning = """
    local function spin() while true do end end
    rl.log("before")
    pcall(spin)
    """

  /// A callback of another thread's loop computes; a third thread's sleep is over meanwhile.
  private static let spinningCallback = """
    local t = rl.thread("w", function()
      rl.currentLoop():addTimer(rl.timer{ name = "t", fireAt = 0.1, fire = function() rl.now()
        while true do end
      end })
      rl.currentLoop():runInMode("default", 100)
    end)
    t:start()
    rl.thread("sleeper", function() rl.sleep(0.15) end):start()
    rl.mainLoop:runInMode("default", 100)
    """

  @Test func aScriptThatComputesWithoutEndIsEndedByItsTimeout() throws {
    let result = try Program.run(["live", "--timeout", "0.5"], script: Self.spinning)
    #expect(result.code == 4)
    #expect(result.output.contains("main log before\n"))
    let last = try #require(result.output.split(separator: "\n").last)
    #expect(last.hasSuffix(" - end reason=limit detail=timeout"))
    #expect(try #require(Double(last.prefix { $0 != " " })) >= 0.5)
    #expect(result.errors.contains("the run had not ended after 0.5 s (--timeout)"))
    #expect(result.errors.contains("main: computes in Lua at "))
    #expect(result.errors.contains(".lua:1\n"))
    #expect(result.errors.contains("in function 'pcall'"))
  }

  @Test func aCallbackThatComputesWithoutEndIsEndedByTheTimeout() throws {
    let result = try Program.run(["live", "--timeout", "0.6"], script: Self.spinningCallback)
    #expect(result.code == 4)
    #expect(result.output.contains("w timer t fire=1"))
    // It is no error of the callback.
    #expect(!result.output.contains("result=error"))
    func line(_ start: String) -> Substring? { result.errors.split(separator: "\n").first { $0.hasPrefix(start) } }
    #expect(line("w: computes in Lua at ")?.hasSuffix(".lua:3") == true, "\(result.errors)")
    #expect(line("main: runs its loop in mode default, waiting")?.hasSuffix(".lua:9") == true, "\(result.errors)")
    #expect(line("sleeper: sleeps at ")?.hasSuffix("; it is over, and the thread waits for its turn in Lua") == true)
  }

  @Test(arguments: [
    // Calls of the API, string matching in C.
    "while true do rl.now() end",
    "local s = ('a'):rep(100000) while true do s:find(('a-'):rep(20) .. 'b') end",
  ])
  func whateverComputesIsEndedAtTheWantedDate(_ script: String) throws {
    let result = try Program.run(["live", "--until", "0.3"], script: script)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("end reason=until"))
    // Where a call of the API gives the lock up for a moment, the thread is told to run.
    #expect(result.errors.contains("main: computes in Lua at ") || result.errors.contains("main: runs at "))
    #expect(result.errors.contains(".lua:1\n"))
  }

  @Test func controlCEndsAScriptThatComputes() throws {
    let result = try Program.run(["live"], script: Self.spinning, interruptWhenItSays: "thread.start")
    #expect(result.code == 130)
    #expect(result.errors.contains("main: computes in Lua at "))
    #expect(result.errors.contains("rlsim: interrupted\n"))
  }

  @Test func thePoliteSignalEndsARunAsControlCDoes() throws {
    let result = try Program.run(
      ["live"], script: Self.spinningCallback, interruptWhenItSays: "w timer t", by: SIGTERM)
    #expect(result.code == 143)
    #expect(result.errors.contains("w: computes in Lua at "))
    #expect(result.errors.contains("rlsim: terminated\n"))
  }

  private static let talking = "while true do rl.log(('x'):rep(1000)) end"

  @Test func controlCEndsARunWhoseOutputNobodyReads() throws {
    let result = try Program.runUnread(["live"], script: Self.talking, interrupts: 1)
    #expect(result.code == 130)
    #expect(result.errors.contains("standard output takes nothing more, its reader does not read"))
    #expect(result.errors.contains("rlsim: interrupted\n"))
  }

  @Test func aSecondControlCEndsItAtOnce() throws {
    let result = try Program.runUnread(["live"], script: Self.talking, interrupts: 2)
    #expect(result.code == 130)
    // It does not wait to tell what each thread was doing.
    #expect(result.errors.isEmpty)
  }

  @Test func theClockOfLuaGoesOnWhileAScriptComputes() throws {
    let result = try Program.run(
      ["live", "--timeout", "10"], script: "local t = os.clock() while os.clock() - t < 0.1 do end rl.log('done')")
    #expect(result.code == 0)
    #expect(result.output.contains("main log done"))
  }
}
