import Foundation
import Testing

/// How often a loop was woken for nothing, in `--explain`.
@Suite struct WakeCountTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  /// The line on the wake-ups of main's loop.
  private func wakes(_ script: String, _ options: String...) throws -> String? {
    try rlsim.write("x.lua", script)
    let result = try rlsim.run(["x.lua", "-q", "--explain"] + options)
    return result.lines.first { $0.hasPrefix("    woken by: ") }.map { String($0.dropFirst(14)) }
  }

  /// A thread that does something after each of `count` seconds, while main's loop waits for ten.
  private func waking(_ count: Int, _ body: String, before: String = "") -> String {
    """
    local loop = rl.mainLoop
    local s = rl.source{ name = 's' }
    loop:addSource(s)
    \(before)
    rl.detach('w', function() for i = 1, \(count) do rl.sleep(1) \(body) end end)
    loop:runInMode('default', 10)
    """
  }

  @Test func wakeUpsWithNothingToDo() throws {
    defer { rlsim.remove() }
    #expect(try wakes(waking(4, "loop:wakeUp()")) == "wakeUp 4, timeout 1; for nothing 4")
  }

  @Test(arguments: [
    ("s:signal() loop:wakeUp()", "wakeUp 4, timeout 1"),
    ("loop:performBlock(print) loop:wakeUp()", "wakeUp 4, timeout 1"),
    ("rl.mainThread:perform(print)", "wakeUp 4, timeout 1"), ("rl.mainQueue:async(print)", "timeout 1, mainQueue 4"),
    ("if i % 2 == 0 then s:signal() end loop:wakeUp()", "wakeUp 4, timeout 1; for nothing 2"),
    // A block for another mode is nothing to do.
    ("loop:performBlock('other', print) loop:wakeUp()", "wakeUp 4, timeout 1; for nothing 4"),
    // What ends the run was for something.
    ("if i == 4 then loop:stop() end loop:wakeUp()", "wakeUp 3, stop 1; for nothing 3"),
  ]) func onlyThoseCount(body: String, expected: String) throws {
    defer { rlsim.remove() }
    #expect(try wakes(waking(4, body)) == expected)
  }

  @Test func timersAreNoWakeForNothing() throws {
    defer { rlsim.remove() }
    #expect(
      try wakes(waking(2, "loop:wakeUp()", before: "loop:scheduleTimer{ interval = 0.3, fire = function() end }"))
        == "timer 33, wakeUp 2, timeout 1; for nothing 2")
  }

  @Test func aPortLeftArmedWakesForNothing() throws {
    defer { rlsim.remove() }
    let script = """
      local t = rl.mainLoop:scheduleTimer{ after = 5 }
      rl.mainLoop:performBlock(function() t:invalidate() end)
      rl.mainLoop:addSource(rl.source{})
      rl.mainLoop:runInMode('default', 10)
      """
    #expect(try wakes(script, "--semantics", "linux") == "timer 1, timeout 1; for nothing 1")
    #expect(try wakes(script) == "timeout 1")
  }
}
