import Foundation
import Testing

/// What is told of calls that come to a thread which has ended or never began, and of runs that a thread leaves.
@Suite struct EndedThreadTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  private func run(_ script: String, _ options: String...) throws -> Executable.Result {
    try rlsim.write("x.lua", script)
    return try rlsim.run(["x.lua"] + options)
  }

  @Test func aPerformOnAThreadThatWasNeverStartedIsNoted() throws {
    defer { rlsim.remove() }
    let script = "local t = rl.thread('t', function() end)\nt:perform(function() end, { name = 'p' })\n"
    let result = try run(script)
    #expect(result.code == 0)
    #expect(
      result.errors == "rlsim: note: thread t was never started, so this was left undone: perform p (x.lua:2) "
        + "(start() starts it; --explain tells all)\n")
    #expect(
      try run(script, "-q", "--explain").output.hasSuffix("left undone: perform p (x.lua:2): t was never started\n"))
  }

  @Test func whoWaitsForAThreadThatWasNeverStartedIsStuckAndToldWhy() throws {
    defer { rlsim.remove() }
    let result = try run(
      "local t = rl.thread('t', function() end)\nt:perform(function() end, { name = 'p', wait = true })\n")
    #expect(result.code == 1)
    #expect(
      result.lines.contains("0.000000000 main fault stuck thread=main waits=perform:t started=false on=t at=x.lua:2"),
      "\(result.output)")
  }

  @Test func aPerformOnAFinishedThreadNamesTheThread() throws {
    defer { rlsim.remove() }
    let script = """
      local t = rl.thread('t', function() rl.sleep(1) end)
      t:start()
      t:join()
      rl.sleep(1)
      t:perform(function() end, { name = 'p' })
      rl.log(select(2, pcall(t.perform, t, function() end, { name = 'q', wait = true })))
      """
    let result = try run(script, "--show", "block,log")
    #expect(
      result.lines[1...3] == [
        "2.000000000 main perform.drop p on=t", "2.000000000 main perform.drop q on=t",
        "2.000000000 main log x.lua:6: target thread exited while waiting for the perform (thread 't' had ended "
          + "before, at 1.000000000)",
      ])
    // The trace says it: no note.
    #expect(result.errors == "")
    #expect(
      try run(script, "-q", "--explain").lines.contains("left undone: perform p (x.lua:5): t had ended at 1.000000000"))
  }

  @Test func aThreadThatEndsInsideARunLeavesItAsExited() throws {
    defer { rlsim.remove() }
    let result = try run(
      """
      local w = rl.thread('w', function() rl.currentLoop():addPort(rl.port{}) rl.currentLoop():run() end)
      w:start()
      rl.sleep(1)
      rl.log(pcall(w.perform, w, function() rl.exitThread() end, { name = 'p', wait = true }))
      """, "--show", "run,block,log")
    #expect(
      result.lines[1...4] == [
        "0.000000000 w run.enter mode=default", "1.000000000 w perform p from=main",
        "1.000000000 w run.exit mode=default result=exited",
        "1.000000000 main log false x.lua:4: target thread exited while waiting for the perform",
      ], "\(result.output)")
  }
}
