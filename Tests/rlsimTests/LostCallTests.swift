import Foundation
import Testing

/// Why a thread waits for ever: the signal that came when nobody waited, the stop of a loop that nothing ran, the cancel
/// that wakes nobody.
@Suite struct LostCallTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  private func explore(_ script: String) throws -> Executable.Result {
    try rlsim.write("lost.lua", script)
    return try rlsim("explore", "lost.lua")
  }

  private static let signalled = """
    local done = rl.condition{ name = "done" }
    local worker = rl.thread("worker", function()
      done:lock()
      done:WAKE()
      done:unlock()
    end)
    worker:start()
    done:lock()
    done:wait()
    done:unlock()
    worker:join()
    """

  /// The report's line on what kept a thread waiting.
  @Test(arguments: ["signal", "broadcast"]) func exploreNamesALostSignal(verb: String) throws {
    defer { rlsim.remove() }
    let result = try explore(Self.signalled.replacingOccurrences(of: "WAKE", with: verb))
    #expect(result.code == 1)
    // The worker locks, signals and unlocks; then the main thread locks and waits.
    let lines = result.lines
    let place = try #require(lines.firstIndex(of: "  main waits for condition done at lost.lua:9"), "\(result.output)")
    #expect(lines[place + 1] == "    worker: \(verb) done at lost.lua:4, step 2: lost, nobody waited for it then")
  }

  @Test func exploreNamesASignalThatDidNotCome() throws {
    defer { rlsim.remove() }
    let result = try explore(
      """
      local done = rl.condition{ name = "done" }
      local isLate = rl.atomic{ name = "isLate", value = 0 }
      local worker = rl.thread("worker", function()
        if isLate:load() == 0 then
          done:lock() done:signal() done:unlock()
        end
      end)
      done:lock()
      worker:start()
      isLate:store(1)
      done:wait()
      done:unlock()
      worker:join()
      """)
    #expect(
      result.output.contains(
        "main waits for condition done at lost.lua:11\n    worker: signal done at lost.lua:5: would have woken it, but did "
          + "not come in this run\n"), "\(result.output)")
  }

  @Test func exploreNamesACancelThatWakesNobody() throws {
    defer { rlsim.remove() }
    let result = try explore(
      """
      local worker = rl.thread("worker", function()
        local loop = rl.currentLoop()
        loop:addSource(rl.source{ name = "keepAlive" })
        while not rl.currentThread():isCancelled() do
          loop:runMode("default", rl.distantFuture)
        end
      end)
      worker:start()
      worker:cancel()
      worker:join()
      """)
    #expect(result.code == 1)
    let lines = result.lines
    let place = try #require(
      lines.firstIndex {
        $0 == "  worker sleeps in its run loop at lost.lua:5, mode default, with source keepAlive (silent)"
      }, "\(result.output)")
    #expect(lines[place + 1] == "    nothing that was seen in any run would have woken it")
    #expect(lines[place + 2].hasPrefix("    main: cancelThread worker at lost.lua:9, step "))
    #expect(lines[place + 2].hasSuffix(": only sets a flag; a thread that waits is not woken by it"))
  }

  @Test func exploreNamesACancelOfAThreadThatWaitsForASemaphore() throws {
    defer { rlsim.remove() }
    let result = try explore(
      """
      local work = rl.semaphore{ name = "work" }
      local worker = rl.thread("worker", function() work:wait() end)
      worker:start()
      worker:cancel()
      worker:join()
      """)
    #expect(result.code == 1)
    #expect(
      result.lines.contains {
        $0.hasPrefix("  main: cancelThread worker at lost.lua:4, step ")
          && $0.hasSuffix(": only sets a flag; a thread that waits is not woken by it")
      }, "\(result.output)")
  }

  // MARK: --explain

  private func explain(_ script: String) throws -> [String] {
    try rlsim.write("lost.lua", script)
    return try rlsim("lost.lua", "-q", "--explain").lines
  }

  @Test func explainNamesALostSignal() throws {
    defer { rlsim.remove() }
    let late = Self.signalled.replacingOccurrences(of: "WAKE", with: "signal")
      .replacingOccurrences(of: "worker:start()\n", with: "worker:start() rl.sleep(1)\n")
    #expect(
      try explain(late).contains(
        "thread main: waits for condition done at lost.lua:9; signalled in vain by worker at 0.000000000 (lost.lua:4): "
          + "nobody waited then"))
  }

  @Test func explainNamesALostStopAndACancel() throws {
    defer { rlsim.remove() }
    let lines = try explain(
      """
      local worker = rl.thread{ name = "worker", entry = function()
        local loop = rl.currentLoop()
        loop:addSource(rl.source{ name = "keepAlive" })
        rl.sleep(2)
        loop:run()
      end }
      worker:start()
      rl.sleep(1)
      worker:loop():stop()
      rl.sleep(2)
      worker:cancel()
      rl.currentLoop():addSource(rl.source{ name = "own" })
      rl.currentLoop():run()
      """)
    let wanted =
      "thread worker: waits in its run loop; a stop by main at 1.000000000 (lost.lua:9) was lost: nothing ran the loop "
      + "then; cancelled by main at 3.000000000 (lost.lua:11), which only sets a flag and wakes nobody"
    #expect(lines.contains(wanted), "\(lines)")
  }
}
