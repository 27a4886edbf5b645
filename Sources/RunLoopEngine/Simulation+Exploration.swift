/// The explored mode, as its host drives it: `nextTurnBeforeChoice()` until it gives nil, then a choice, and again.
extension Simulation {
  /// Who runs next without a choice; nil at a choice.
  public mutating func nextTurnBeforeChoice() -> Turn? { own.pointee.nextTurnBeforeChoice() }

  /// Whether the clock may be chosen.
  public var clockCanMove: Bool {
    shared.pointee.exploration.timeIsFree && shared.pointee.exploration.isAtChoice && !shared.pointee.agenda.isEmpty
  }

  /// Whether the run, which has ended, left something that was due.
  public var hasDates: Bool { !shared.pointee.agenda.isEmpty }

  /// Lets a thread take its step.
  ///
  /// - Parameter alternative: which of the ways that the step can go; 0 is the usual one.
  public mutating func choose(_ thread: ThreadID, alternative: Int32) {
    own.pointee.choose(thread.rawValue, alternative: alternative)
  }

  /// Lets the clock go to the next due moment, while threads are held back.
  public mutating func chooseClock() { own.pointee.chooseClock() }

  /// The threads that are before a step, by ascending number. They hold until the simulation goes on.
  public mutating func candidates() -> UnsafeBufferPointer<Candidate> {
    let system = own
    if !system.pointee.exploration.candidatesAreOfNow { system.pointee.listCandidates() }
    return system.pointee.exploration.candidates.elements
  }

  /// What the step chosen last did, and what is free after it of the objects that it touched. It holds until the simulation
  /// goes on.
  public mutating func readStep() -> ExploredStep {
    let system = own
    for index in system.pointee.exploration.touches.indices {
      let object = system.pointee.exploration.touches[index].object
      system.pointee.exploration.touches[index].number = system.pointee.exploration.made.number(of: object)
      if system.pointee.exploration.touches[index].before == 0xFF { continue }
      system.pointee.exploration.touches[index].after = system.pointee.availability(object)
    }
    return ExploredStep(system.pointee.exploration)
  }

  /// Whether anything happened since `removeEvents()`.
  public var hasEvents: Bool { !shared.pointee.events.isEmpty }

  /// Calls `body` with each event since `removeEvents()`, oldest first, and forgets them.
  public mutating func drainEvents(_ body: (Event, borrowing Simulation) -> Void) {
    let system = shared
    for index in system.pointee.events.indices { body(system.pointee.events[index], self) }
    removeEvents()
  }

  /// What the step chosen last did.
  public var explored: Explored {
    _read { yield shared.pointee.exploration }
  }

  /// A number for an object that a step touches, of 24 bits below those of its kind, which does not depend on the order in
  /// which threads made things.
  public func number(of object: Int64) -> Int64 { shared.pointee.exploration.made.number(of: object) }

  /// Something is looked at for the script that other threads may change.
  @inline(__always)
  public mutating func looks(at subject: Subject) {
    if shared.pointee.isExplored { own.pointee.looks(at: subject) }
  }

  /// The script has to do with something that Lua keeps for all threads.
  ///
  /// - Parameter what: a number for it.
  public mutating func touchHidden(_ what: Int32, changes: Bool) {
    own.pointee.touch(.hidden, what, changes ? .change : .read)
  }

  /// A thread reaches the dictionary of one, to look something up in it or to change it at once.
  ///
  /// - Parameter hasContents: whether something in it, as a table, has contents of its own. It may be kept, and changed
  ///   when nobody sees it.
  public mutating func touchDictionary(of thread: ThreadID, by other: ThreadID, hasContents: Bool) {
    own.pointee.touchDictionary(of: thread.rawValue, by: other.rawValue, hasContents: hasContents)
  }

  /// Who posts notifications is looked up among those that observers have asked for, or becomes one of them.
  public mutating func touchSenders(changes: Bool) {
    own.pointee.touch(.notifications, 1, changes ? .change : .read)
  }

  /// A lock without a name of its own is looked up by what it belongs to.
  public mutating func looksUpLock(named kind: NameKind) { own.pointee.touch(.counter, kind.rawValue, .read) }

  /// Posts that a thread that could go on is left, for replays.
  public mutating func postSwitch(from: ThreadID, to: ThreadID) {
    own.pointee.postSwitch(from: from.rawValue, to: to.rawValue)
  }

  /// Whether all have ended that the process waits for, and a thread was started for which it does not, or the clock was
  /// let go: what these did was just in time. O(threads).
  public var leavesOthersBehind: Bool {
    mutating get { shared.pointee.living == 0 && shared.pointee.endIsRaced }
  }

  /// Who was before a step when the run ended. It holds until the simulation goes on.
  public var blockedAtEnd: UnsafeBufferPointer<Candidate> {
    mutating get { shared.pointee.exploration.blockedAtEnd.elements }
  }

  /// Whether threads have done what depends on more than their steps tell: which of those due at the same moment went on
  /// first, or that an error has left a guard.
  public var dependsOnMore: Bool { shared.pointee.exploration.dependsOnMore }

  /// Whether an error has left a run of a loop.
  public var hasLeftRuns: Bool { mutating get { !shared.pointee.exploration.leftRuns.isEmpty } }

  /// Joinable threads that have ended, and that nobody joined.
  public var unjoinedThreads: [ThreadID] {
    mutating get {
      let system = shared
      var left: [ThreadID] = []
      for index in system.pointee.threads.indices where system.pointee.threads[index].isJoinable {
        if system.pointee.threads[index].state == .ended, !system.pointee.threads[index].isJoined {
          left.append(ThreadID(rawValue: Int32(index)))
        }
      }
      return left
    }
  }

  /// Where a thread was started.
  public func startPosition(of thread: ThreadID) -> Position { shared.pointee.threads[thread.index].startPosition }

  /// What a thread is about to do, and where; nil when it is not before a step.
  public func pending(of thread: ThreadID) -> (operation: Operation, position: Position)? {
    let system = shared
    guard let operation = system.pointee.threads[thread.index].pending else { return nil }
    return (operation, system.pointee.threads[thread.index].pendingPosition)
  }
}
