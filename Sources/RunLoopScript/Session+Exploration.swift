import CLuaHost
import RunLoopEngine
import RunLoopTrace

/// A session as the explorer drives it: from choice to choice, back to earlier states, and on from there.
extension Session {
  /// A state of a session, to be restored as often as wanted.
  public final class Saved {
    // Behind pointers for the same reason as the session's state.
    fileprivate let simulation = UnsafeMutablePointer<Simulation>.allocate(capacity: 1)
    fileprivate let notes = UnsafeMutablePointer<Notes>.allocate(capacity: 1)
    fileprivate let snapshot = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: 1)

    fileprivate init(_ simulation: Simulation, _ notes: Notes) {
      self.simulation.initialize(to: simulation)
      self.notes.initialize(to: notes)
      snapshot.initialize(to: nil)
    }

    deinit {
      clh_free_snapshot(snapshot.pointee)
      simulation.deinitialize(count: 1)
      simulation.deallocate()
      notes.deinitialize(count: 1)
      notes.deallocate()
      snapshot.deallocate()
    }
  }

  /// Runs up to the next choice, or to the end.
  ///
  /// - Returns: how the run ended; nil at a choice.
  public func advanceToChoice() -> Outcome? {
    guard let host else { return Outcome(.limit, message: "there is no memory for Lua") }
    if loaded != CLH_OK { return failure(loaded, host) }
    if cannotGoBack {
      simulation.abort(.limit, detail: "memory")
      return Outcome(.limit, message: "not enough memory to go back to where a run had a choice")
    }
    while let turn = state.pointee.nextTurnBeforeChoice() {
      switch turn {
      case .start(let thread):
        let status = clh_start(host, thread.rawValue)
        if status != CLH_OK { return failed(thread, status, host) }
        if let outcome = resume(thread, host) { return outcome }
      case .resume(let thread):
        if let outcome = resume(thread, host) { return outcome }
      case .ended(let reason): return finish(reason)
      }
      if let leaving { return leave(leaving, host) }
    }
    return nil
  }

  /// The state of now. Only at a choice, or before the first.
  public func save() -> Saved {
    let saved = Saved(simulation, notes)
    save(into: saved)
    return saved
  }

  /// Makes one that is no longer needed the state of now, in the memory that it has.
  public func save(into saved: Saved) {
    saved.simulation.pointee.assign(state.pointee)
    saved.notes.pointee.assign(notesPointer)
    if let snapshot = clh_save(host, saved.snapshot.pointee) {
      saved.snapshot.pointee = snapshot
    } else {
      cannotGoBack = true
    }
  }

  /// Goes back to a state.
  ///
  /// - Parameter isLast: whether for the last time: what was saved is of no use then, but to be saved to again.
  public func restore(_ saved: Saved, isLast: Bool = false) {
    if isLast {
      state.pointee.swap(with: &saved.simulation.pointee)
    } else {
      state.pointee.assign(saved.simulation.pointee)
    }
    notesPointer.pointee.assign(saved.notes)
    // Without one nothing is run any more (`cannotGoBack`).
    if let snapshot = saved.snapshot.pointee { clh_restore(host, snapshot) }
    // A limit is that of the run which reached it.
    if case .limit? = leaving { leaving = nil }
  }

  /// The threads that are before a step, by ascending number. They hold until the session goes on.
  public func candidates() -> UnsafeBufferPointer<Candidate> { state.pointee.candidates() }

  /// Whether the clock may be chosen.
  public var clockCanMove: Bool { state.pointee.clockCanMove }

  /// Whether anything happened since `drainEvents`.
  public var hasEvents: Bool { state.pointee.hasEvents }

  /// Calls `body` with each event that has happened, oldest first, and forgets them.
  public func drainEvents(_ body: (Event, borrowing Simulation) -> Void) {
    state.pointee.drainEvents(body)
  }

  /// A state to be compared with later ones of the same run.
  public struct Mark {
    fileprivate let digest: (UInt64, UInt64)
    fileprivate let simulation: Simulation
    fileprivate let notes: Notes

    /// Whether the run goes on from both in the same way, whatever is chosen. It says no where it cannot tell.
    public func isSame(as other: Mark) -> Bool {
      digest == other.digest && notes.isSame(as: other.notes) && simulation.isSameState(as: other.simulation)
    }
  }

  /// The state of now. Only at a choice.
  public func mark() -> Mark {
    var digest: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &digest) { clh_digest(host, $0.assumingMemoryBound(to: UInt64.self).baseAddress) }
    return Mark(digest: digest, simulation: simulation, notes: notes)
  }
}
