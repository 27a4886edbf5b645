import RunLoopEngine
import Testing

@testable import RunLoopScript

/// States of a session that are gone back to, and what happens when there is no memory for them.
@Suite struct SavedStateTests {
  private func session(_ script: String, memory: Int = 1 << 30) -> Session {
    var options = ScriptOptions(source: Array(script.utf8), chunkName: "script.lua")
    options.configuration.exploration = Configuration.Exploration()
    options.maximumMemory = memory
    return Session(options)
  }

  @Test func withoutMemoryForASnapshotEveryRunEndsAtALimit() {
    let session = session("local m = rl.mutex{} m:lock() m:unlock()")
    #expect(session.advanceToChoice() == nil)
    let saved = session.save()
    session.cannotGoBack = true
    for _ in 0..<2 {
      let outcome = session.advanceToChoice()
      #expect(outcome?.kind == .limit)
      #expect(outcome?.message == "not enough memory to go back to where a run had a choice")
      #expect(session.simulation.ending == .limit)
      session.restore(saved)
    }
  }
}
