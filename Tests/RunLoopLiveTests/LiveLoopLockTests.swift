import Foundation
import Testing

/// The library holds a run loop's lock during some callbacks of sources: who wants the loop then waits for them, and a
/// run that hangs by it ends as any other.
@Suite struct LiveLoopLockTests {
  /// The run's deadline sends a wake-up, which waits for the lock that the cancel callback holds.
  private static let nestedRun = """
    local loop = rl.mainLoop
    local source
    source = rl.source{ name = "s", cancel = function() loop:runInMode("default", 0.05) end }
    loop:addSource(source)
    loop:addSource(rl.source{ name = "keepAlive" })
    source:invalidate()
    """

  @Test func aRunInsideACancelCallbackIsEndedByTheTimeout() throws {
    let result = try Program.run(["live", "--timeout", "0.5"], script: Self.nestedRun)
    #expect(result.code == 4)
    let last = try #require(result.output.split(separator: "\n").last)
    #expect(last.hasSuffix(" - end reason=limit detail=timeout"))
    #expect(result.errors.contains("main: runs its loop in mode default, waiting, current mode default at "))
    #expect(result.errors.contains(".lua:3, in a callback of a source that may hold its loop\n"), "\(result.errors)")
  }

  @Test func andByThePoliteSignal() throws {
    let result = try Program.run(
      ["live"], script: Self.nestedRun, interruptWhenItSays: "beforeWaiting", by: SIGTERM)
    #expect(result.code == 143)
    #expect(result.errors.contains("main: runs its loop in mode default, waiting"))
    #expect(result.errors.contains("rlsim: terminated\n"))
  }

  @Test func aCallbackThatWaitsForAThreadThatWantsTheLoopIsTold() throws {
    let result = try Program.run(
      ["live", "--timeout", "0.5"],
      script: """
        local loop = rl.mainLoop
        local source = rl.source{ name = "s", cancel = function()
          local w = rl.thread("w", function() loop:wakeUp() end)
          w:start()
          w:join()
        end }
        loop:addSource(source)
        source:invalidate()
        """)
    #expect(result.code == 4)
    #expect(result.output.contains("end reason=limit detail=timeout"))
    #expect(result.errors.contains("main: waits for the end of w at "), "\(result.errors)")
    #expect(result.errors.contains("w: waits in the library for a run loop, which main may hold at "))
  }

  @Test(arguments: [
    // Callbacks of an invalidation, of what leaves the common modes, and of what joins them.
    ("cancel", "source:invalidate()"), ("cancel", "loop:removeSource(source, 'common')"),
    ("schedule", "loop:addCommonMode('x')"),
  ])
  func whoWantsALoopWaitsForTheCallbackAndNotForLua(callback: String, call: String) throws {
    let result = try Program.run(
      ["live", "--timeout", "5"],
      script: """
        local loop, isReady = rl.mainLoop, false
        local source = rl.source{ name = "s", \(callback) = function()
          if isReady then rl.work(0.3) rl.log("worked") end
        end }
        loop:addSource(source, "common")
        local w = rl.thread("w", function()
          rl.sleepUntil(0.15)
          loop:performBlock(function() end)
          rl.log("queued")
        end)
        w:start()
        rl.sleepUntil(0.05)
        isReady = true
        \(call)
        w:join()
        """)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let lines = result.output.split(separator: "\n")
    let worked = try #require(lines.firstIndex { $0.hasSuffix("main log worked") })
    let queued = try #require(lines.firstIndex { $0.hasSuffix("w log queued") })
    #expect(worked < queued)
  }

  @Test func whoWaitsForABlockInWhichTheMainThreadEndsItselfIsTold() throws {
    let script = """
      local w = rl.thread("w", function()
        rl.sleepUntil(0.1)
        rl.log(pcall(function() rl.mainQueue:sync(function() rl.exitThread() end) end))
      end)
      w:start()
      rl.mainLoop:runInMode("default", 1)
      rl.log("not reached")
      """
    let result = try Program.run(["live", "--timeout", "5"], script: script)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("target thread exited"))
    #expect(!result.output.contains("not reached"))
    let both = try Program.run(["compare", "--with", "live", "--tolerance", "0.2"], script: script)
    #expect(both.code == 0, "\(both.output)\(both.errors)")
  }
}

#if os(Linux)
  /// What is left of a comparison that is ended.
  @Suite struct CompareStopTests {
    private static func child(of process: Int32) -> Int32? {
      let path = "/proc/\(process)/task/\(process)/children"
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
      return text.split(separator: " ").first.flatMap { Int32($0) }
    }

    private static func command(of process: Int32) -> String {
      (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func itsLiveRunEndsWithIt(_ signal: Int32) throws {
      // An instant for the simulation, a minute live.
      let script = try Scratch("rl.sleep(60) rl.log('done')")
      defer { script.remove() }
      let process = try Program.start(["compare", "--with", "live", script.url.path])
      var live: Int32?
      let deadline = Date.now + 30
      while live == nil, process.isRunning, Date.now < deadline {
        live = Self.child(of: process.processIdentifier).flatMap {
          Self.command(of: $0).hasPrefix("rlsim-live") ? $0 : nil
        }
        usleep(5000)
      }
      let child = try #require(live)
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(!Self.command(of: child).hasPrefix("rlsim-live"))
      #expect(process.terminationReason == (signal == SIGTERM ? .uncaughtSignal : .exit))
      #expect(process.terminationStatus == (signal == SIGTERM ? SIGTERM : 130))
    }
  }
#endif
