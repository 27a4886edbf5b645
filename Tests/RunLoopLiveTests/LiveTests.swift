import Testing

/// What `rlsim live` does with a script, beside what a comparison sees.
@Suite struct LiveTests {
  @Test func anErrorInACallbackEndsTheRunWithItsTraceback() throws {
    let result = try Program.run(
      ["live"],
      script: """
        rl.mainLoop:performBlock(function() error("boom") end)
        pcall(function() rl.mainLoop:runInMode("default", 1) end)
        """)
    #expect(result.code == 3)
    #expect(result.output.contains("end reason=fault detail=error"))
    #expect(result.errors.contains(":1: boom"))
  }

  @Test func aThreadCanEndItselfInsideACallbackAndItsSourcesAreCancelled() throws {
    let result = try Program.run(
      ["live"],
      script: """
        local t = rl.thread("w", function()
          local source = rl.source{ name = "s", cancel = function() rl.log("cancelled") end }
          rl.currentLoop():addSource(source)
          rl.currentLoop():performBlock(function() rl.exitThread("early", 2) end)
          rl.currentLoop():runInMode("default", 1)
          rl.log("not reached")
        end)
        t:start()
        rl.log(t:join())
        """)
    #expect(result.code == 0)
    #expect(result.output.contains("w source.cancel s mode=default"))
    #expect(result.output.contains("log cancelled"))
    #expect(result.output.contains("main log early 2"))
    #expect(!result.output.contains("not reached"))
  }

  @Test func aRunThatHangsIsEndedAndEachThreadSaysWhatItDoes() throws {
    let result = try Program.run(
      ["live", "--timeout", "0.3"],
      script: """
        local lock = rl.mutex{ name = "held" }
        local t = rl.thread("w", function() lock:lock() end)
        lock:lock()
        t:start()
        rl.mainLoop:runInMode("tracking", 60)
        t:join()
        """)
    #expect(result.code == 4)
    #expect(result.output.contains("end reason=limit detail=timeout"))
    #expect(result.errors.contains("main: waits for the end of w"))
    #expect(result.errors.contains("w: waits for the lock held"))
  }

  @Test func locksAndConditionsAreRealOnes() throws {
    let result = try Program.run(
      ["live"],
      script: """
        local condition, ready = rl.condition{ name = "c" }, false
        local t = rl.thread("w", function()
          condition:lock()
          while not ready do condition:wait() end
          condition:unlock()
          return "done"
        end)
        t:start()
        rl.sleep(0.05)
        condition:lock()
        ready = true
        condition:signal()
        condition:unlock()
        rl.log(t:join(), rl.semaphore{ name = "s", value = 0 }:wait(rl.now() + 0.01))
        """)
    #expect(result.code == 0)
    #expect(result.output.contains("main log done false"))
  }

  @Test func aDifferenceIsFoundAndShownWithBothSides() throws {
    // Real time has passed before the first line of a script; simulated time has not.
    let result = try Program.run(
      ["compare", "--with", "live"], script: "rl.log(rl.now() > 0 and \"real\" or \"simulated\")")
    #expect(result.code == 1)
    #expect(result.output.contains("log simulated"))
    #expect(result.output.contains("log real"))
  }

  @Test func runsThatDifferAmongThemselvesAreToldApart() throws {
    let result = try Program.run(["compare", "--with", "live"], script: "rl.log(rl.nanoseconds())")
    #expect(result.code == 1)
    #expect(result.output.contains("live runs differ among themselves"))
  }

  @Test func aScriptSaysWhyItIsNotCompared() throws {
    let result = try Program.run(["compare", "--with", "live"], script: "rl.log(1)\n--! compare: no, it is a test\n")
    #expect(result.code == 0)
    #expect(result.output.contains("not compared: it is a test"))
  }

  @Test func twoProfilesAreShownSideBySideWhereTheyDiffer() throws {
    let script = """
      rl.mainLoop:addTimer(rl.timer{ name = "t", interval = 1, fire = function() end })
      rl.mainLoop:runInMode("default", 0.5)
      """
    let linux = try Program.run(["compare", "--with", "linux"], script: script)
    #expect(linux.code == 1)
    #expect(linux.output.contains("apple"))
    #expect(linux.output.contains("> 0.000000000 main timer t fire=1"))
    #expect(try Program.run(["compare", "--with", "apple"], script: script).code == 0)
  }
}
