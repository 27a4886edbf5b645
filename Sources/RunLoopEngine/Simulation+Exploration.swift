/// The explored mode, as its host drives it: `nextTurnBeforeChoice()` until it gives nil, then a choice, and again.
extension Simulation {
  /// Who runs next without a choice; nil at a choice.
  public mutating func nextTurnBeforeChoice() -> Turn? { own.pointee.nextTurnBeforeChoice() }

  /// Appends the threads that are before a step, by ascending number.
  public mutating func listCandidates(_ list: inout [Candidate]) { own.pointee.listCandidates(&list) }

  /// Whether the clock may be chosen.
  public var clockCanMove: Bool {
    shared.pointee.exploration.timeIsFree && shared.pointee.exploration.isAtChoice && !shared.pointee.agenda.isEmpty
  }

  /// Lets a thread take its step.
  ///
  /// - Parameter alternative: which of the ways that the step can go; 0 is the usual one.
  public mutating func choose(_ thread: ThreadID, alternative: Int32) {
    own.pointee.choose(thread.rawValue, alternative: alternative)
  }

  /// Lets the clock go to the next due moment, while threads are held back.
  public mutating func chooseClock() { own.pointee.chooseClock() }

  /// What the step chosen last did.
  public var explored: Explored { _read { yield shared.pointee.exploration } }

  /// What of an object is free.
  public mutating func availability(of object: Int64) -> UInt8 { own.pointee.availability(object) }

  /// Time is read by the script.
  public mutating func readsClock() { own.pointee.readsClock() }

  /// Posts that a thread that could go on is left, for replays.
  public mutating func postSwitch(from: ThreadID, to: ThreadID) {
    own.pointee.postSwitch(from: from.rawValue, to: to.rawValue)
  }

  /// Whether a thread was started for whose end nobody waits. O(threads).
  public var hasDetachedThreads: Bool {
    let system = shared
    return system.pointee.threads.indices.contains { index in
      let record = system.pointee.threads[index]
      return index > 0 && !record.isJoinable && record.state != .new
    }
  }

  /// Joinable threads that have ended, and that nobody joined.
  public var unjoinedThreads: [ThreadID] {
    let system = shared
    return system.pointee.threads.indices.compactMap { index in
      let record = system.pointee.threads[index]
      let isLeft = record.isJoinable && record.state == .ended && !record.isJoined
      return isLeft ? ThreadID(rawValue: Int32(index)) : nil
    }
  }

  /// Where a thread was started.
  public func startPosition(of thread: ThreadID) -> Position { shared.pointee.threads[thread.index].startPosition }

  /// What a thread is about to do, and where; nil when it is not before a step.
  public func pending(of thread: ThreadID) -> (operation: Operation, position: Position)? {
    let record = shared.pointee.threads[thread.index]
    return record.pending.map { ($0, record.pendingPosition) }
  }
}
