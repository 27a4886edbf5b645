import Foundation
import Testing

/// How a live run ends that does not end by itself: nothing that has happened is lost, and what was the matter is said.
@Suite struct LiveEndTests {
  /// The library counts in whole nanoseconds, and divides by an interval that is less than one.
  private static let trap = """
    local timer = rl.timer{ name = "t", fireAt = 0.02, interval = 1e-10, fire = function() rl.log("fired") end }
    rl.mainLoop:addTimer(timer)
    rl.mainLoop:runInMode("default", 1)
    rl.log("not reached")
    """

  @Test func aTrapOfTheLibraryEndsTheTraceAsASimulatedOneDoes() throws {
    let result = try Program.run(["live"], script: Self.trap)
    #expect(result.code == 3)
    #expect(result.output.contains("main log fired\n"))
    let last = try #require(result.output.split(separator: "\n").last)
    #expect(last.hasSuffix(" - end reason=fault detail=trap"))
    let time = try #require(Double(last.prefix { $0 != " " }))
    #expect(last.prefix { $0 != " " }.count == 11 && time >= 0.02 && time < 10)
    #expect(!result.output.contains("not reached"))
    #expect(result.errors.contains("rlsim: the process was ended by a trap"))
  }

  @Test func aTrapEndsJSONLinesWithALineOfJSON() throws {
    let result = try Program.run(["live", "--format", "jsonl"], script: Self.trap)
    let last = try #require(result.output.split(separator: "\n").last)
    let line = try #require(JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
    #expect(line["event"] as? String == "end")
    #expect(line["detail"] as? String == "trap")
    #expect(try #require(line["t"] as? Int) >= 20_000_000)
  }

  @Test func aTrapThatTheSimulationKnowsOfIsAgreement() throws {
    let result = try Program.run(["compare", "--with", "live", "--tolerance", "0.2"], script: Self.trap)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("agree"))
  }

  @Test func anErrorOnAnotherThreadEndsTheProcessWithItsPlace() throws {
    let result = try Program.run(
      ["live"],
      script: """
        local t = rl.thread("w", function()
          rl.currentLoop():addTimer(rl.timer{ name = "t", fireAt = 0.02, fire = function() error("boom") end })
          rl.currentLoop():runInMode("default", 1)
        end)
        t:start()
        rl.mainLoop:runInMode("default", 1)
        rl.log("not reached")
        """)
    #expect(result.code == 3)
    #expect(result.output.contains("w timer t fire=1"))
    #expect(result.output.contains("end reason=fault detail=error"))
    #expect(result.errors.contains(":2: boom"))
    #expect(result.errors.contains("stack traceback:"))
    #expect(!result.output.contains("not reached"))
  }

  @Test func whatIsSimulatedOnlyIsSkippedWithOneNote() throws {
    let result = try Program.run(
      ["live"],
      script: """
        rl.machine{ cores = 1 }
        local t = rl.thread("w", function() end)
        t:setPriority(1)
        t:setPriority(0)
        t:setStackSize(65536)
        t:start()
        rl.log("done")
        """)
    #expect(result.code == 0)
    #expect(result.output.contains("main log done"))
    for note in ["the machine is the one that this runs on", "thread priorities are stored", "stack sizes are stored"] {
      #expect(result.errors.split(separator: "\n").count { $0.hasPrefix("rlsim: live: \(note)") } == 1)
    }
  }

  @Test func eachThreadOfARunThatHangsSaysWhatItWaitsFor() throws {
    let result = try Program.run(
      ["live", "--timeout", "0.4"],
      script: """
        local function start(name, body) rl.thread(name, body):start() end
        local lock, condition, semaphore = rl.mutex{ name = "m" }, rl.condition{ name = "c" }, rl.semaphore{ name = "s" }
        lock:lock()
        start("locker", function() lock:lock() end)
        start("waiter", function() condition:lock() condition:wait() end)
        start("taker", function() semaphore:wait() end)
        start("sleeper", function() rl.sleep(60) end)
        start("worker", function() rl.work(60) end)
        start("asker", function() rl.performOnMainThread(function() end, { wait = true }) end)
        start("queuer", function() rl.mainQueue:sync(function() end) end)
        start("runner", function()
          rl.currentLoop():addSource(rl.source{ name = "keepAlive" }, "tracking")
          rl.currentLoop():runInMode("tracking")
        end)
        """)
    #expect(result.code == 4)
    #expect(result.output.contains("end reason=limit detail=timeout"))
    for line in [
      "main: has ended", "locker: waits for the lock m", "waiter: waits for the condition c",
      "taker: waits for the semaphore s", "sleeper: sleeps", "worker: computes", "asker: waits for a perform on main",
      "queuer: waits for a block of the main queue", "runner: runs its loop in mode tracking, waiting",
    ] {
      #expect(result.errors.contains(line), "\(line)\n\(result.errors)")
    }
  }

  @Test func controlCEndsARunWithWhatIsKnownSoFar() throws {
    let result = try Program.run(
      ["live"],
      script: """
        rl.log("before")
        rl.mainLoop:addSource(rl.source{ name = "keepAlive" })
        rl.mainLoop:runInMode("default", 60)
        """, interruptWhenItSays: "beforeWaiting")
    #expect(result.code == 130)
    #expect(result.output.contains("main log before"))
    #expect(result.output.contains("main beforeWaiting mode=default"))
    #expect(result.errors.contains("main: runs its loop in mode default, waiting"))
    #expect(result.errors.contains("rlsim: interrupted"))
  }
}
