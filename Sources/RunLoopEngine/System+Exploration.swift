/// The explored mode: before each visible step the host chooses who takes it (exploration.md).
///
/// A thread that comes to a visible operation is *parked* there: it is neither ready nor blocked. When no thread has
/// anything to do but visible steps, the run stops for the host's choice.
extension System {
  /// Whether an operation is a step that the host chooses. Starting and joining threads only orders them, and what
  /// touches nothing concerns nobody.
  mutating func isVisible(_ operation: Operation, _ thread: Int32) -> Bool {
    switch operation {
    case .yield:
      // It touches nothing. But one who does nothing else must not keep the others from their steps for ever.
      exploration.yields += 1
      return exploration.yields > Self.maximumYields
    // They only order things, unless several threads have to do with it: then who comes first may get an error.
    case .startThread(let other), .detach(let other): return threads[other.index].maker != thread
    case .startDetached, .join: return false
    default: return access(of: operation, by: thread) != nil
    }
  }

  /// So many yields between two steps are free.
  private static let maximumYields = 64

  /// Keeps a thread that has become ready before its visible step; false when it has none.
  mutating func park(_ thread: Int32) -> Bool {
    if thread != exploration.running { learns(thread, from: exploration.running) }
    if exploration.isFrozen { exploration.note(root: thread, from: exploration.running) }
    guard threads[Int(thread)].pending != nil else { return false }
    threads[Int(thread)].isParked = true
    return true
  }

  /// Notes that a thread knows what another did: it was woken, started or told the end by it.
  mutating func learns(_ thread: Int32, from other: Int32) {
    if exploration.isFrozen { return }
    exploration.lessons.append(Explored.Lesson(thread: thread, from: other))
  }

  /// The clock moves: because nothing can go on, or by choice.
  mutating func clockMoves() {
    exploration.moments += 1
    exploration.forgetMoment()
    guard !exploration.timeIsFree, !exploration.isFrozen else { return }
    exploration.movedClock = true
    // All processors are taken while others could take a step: it comes at another time when the clock moves first.
    if hasFewCores {
      listCandidates()
      if hasEnabledCandidate { touch(Access.everything, .change) }
    }
    for thread in threads.indices where threads[thread].isParked { exploration.held.append(Int32(thread)) }
    exploration.isFrozen = true
  }

  /// Whether the run stops for a choice, as nothing is left that goes on by itself.
  mutating func stopsForChoice() -> Bool {
    armNow()
    if firstReady >= 0 { return false }
    listCandidates()
    exploration.candidatesAreOfNow = true
    exploration.isAtChoice = (exploration.timeIsFree && !agenda.isEmpty) || hasEnabledCandidate
    return exploration.isAtChoice
  }

  private var hasEnabledCandidate: Bool {
    mutating get {
      for index in exploration.candidates.indices where exploration.candidates[index].isEnabled { return true }
      return false
    }
  }

  /// Whether a wait for a condition that has just begun ends for nothing: one of the ways that the step can go, while
  /// there are spurious wake-ups left. It does so at once; when the thread then goes on is a choice of its own.
  mutating func endsSpuriously() -> Bool {
    guard isExplored, configuration.exploration?.spuriousWakeups ?? 0 > 0 else { return false }
    touch(Explored.spuriousWakeups, .read)
    guard exploration.spuriousLeft > 0, chooseAlternative(of: 2) == 1 else { return false }
    touch(Explored.spuriousWakeups, .change)
    exploration.spuriousLeft -= 1
    return true
  }

  /// A send to a full port is a step too: it queues for room.
  private mutating func canGoOn(_ operation: Operation, _ thread: Int32) -> Bool {
    if case .send = operation { return true }
    return isEnabled(operation, thread)
  }

  /// Whether a thread that is before a step could take it.
  mutating func couldGoOn(_ thread: Int32) -> Bool {
    threads[Int(thread)].pending.map { canGoOn($0, thread) } ?? false
  }

  // MARK: What the host asks

  /// Who runs next without a choice; nil at a choice.
  mutating func nextTurnBeforeChoice() -> Turn? {
    if upcoming < 0, ending == nil {
      upcoming = pick()
      if upcoming < 0, exploration.isAtChoice { return nil }
    }
    if upcoming >= 0 { exploration.running = upcoming }
    return nextTurn()
  }

  /// Finds the threads that are before a step.
  mutating func listCandidates() {
    exploration.candidates.empty()
    for index in threads.indices {
      let thread = Int32(index)
      guard threads[index].isParked, let operation = threads[index].pending else { continue }
      var candidate = Candidate(thread: ThreadID(rawValue: thread), isEnabled: canGoOn(operation, thread))
      if !candidate.isEnabled { candidate.need = need(of: operation, thread) }
      exploration.candidates.append(candidate)
    }
  }

  /// Lets a thread take its step.
  mutating func choose(_ thread: Int32, alternative: Int32) {
    beginStep(alternative)
    exploration.running = thread
    guard threads[Int(thread)].isParked, let operation = threads[Int(thread)].pending else {
      defect("a thread that is not before a step was chosen")
    }
    exploration.need = need(of: operation, thread)
    if let access = access(of: operation, by: thread) { touch(access.object, access.mode) }
    if dependsOnTime(operation) { readsClock() }
    threads[Int(thread)].isParked = false
    threads[Int(thread)].state = .running
    upcoming = thread
  }

  /// Whether an operation comes out differently at another time.
  private func dependsOnTime(_ operation: Operation) -> Bool {
    switch operation {
    case .lockBefore(_, let date), .lockWhen(_, _, let date), .waitForSemaphore(_, let date),
      .send(_, _, _, let date, _):
      date != .distantFuture
    case .waitForConditionUntil, .request, .runInMode, .runMode, .runUntil, .acceptInput, .limitDate, .fireTimer,
      .setNextFireDate, .add(.timer, _, _), .mainQueueAfter, .performAfterDelay, .takePort:
      true
    default: false
    }
  }

  /// Lets the clock go to the next due moment, while threads are held back.
  mutating func chooseClock() {
    beginStep(0)
    exploration.running = -1
    exploration.need = Explored.dates
    touch(Explored.clock, .change)
    _ = moveClock()
  }

  private mutating func beginStep(_ alternative: Int32) {
    hasBegun = true
    exploration.hasChosen = true
    // While few processors work, the clock goes on by itself, too, in the midst of steps.
    exploration.dependsOnMore = exploration.timeIsFree && hasFewCores
    exploration.forgetMoment()
    exploration.isAtChoice = false
    exploration.candidatesAreOfNow = false
    exploration.isFrozen = false
    exploration.movedClock = false
    exploration.alternatives = 1
    exploration.wanted = alternative
    exploration.need = nil
    exploration.yields = 0
    exploration.touches.empty()
    exploration.lessons.empty()
    exploration.held.empty()
  }

  mutating func postSwitch(from: Int32, to: Int32) {
    guard traces(.schedule) else { return }
    var event = event(.switch, from)
    event.subject = threads[Int(from)].name
    if to >= 0 { event.other = threads[Int(to)].name }
    events.append(event)
  }

  // MARK: What a step did

  /// Notes that something is touched, by the step chosen last or by what follows from it.
  @inline(__always)
  mutating func touch(_ kind: Access.Kind, _ id: Int32, _ mode: AccessMode = .change) {
    if isExplored { touch(kind.rawValue << 32 | Int64(UInt32(bitPattern: id)), mode) }
  }

  mutating func touch(_ object: Int64, _ mode: AccessMode) {
    // What comes after the clock has moved is after everything before anyway.
    if exploration.isFrozen { return touchAfterMove(object, mode) }
    for index in exploration.touches.indices where exploration.touches[index].object == object {
      if mode == .change { exploration.touches[index].changes = true }
      return
    }
    exploration.touches.append(Explored.Touch(object: object, changes: mode == .change, before: availability(object)))
  }

  /// "Now" is read: where the clock is the host's choice, too, that is a look at something that others change.
  @inline(__always)
  mutating func readsClock() {
    if isExplored, exploration.timeIsFree { touch(Explored.clock, .read) }
  }

  /// What is due changes, and with it where the clock goes next, and whether it can.
  @inline(__always)
  mutating func changesDates() {
    if isExplored, exploration.timeIsFree { touch(Explored.clock, .change) }
  }

  /// Something is put among what is due. With limited processors, what is due at the same moment takes them in this order.
  @inline(__always)
  mutating func makesDate() {
    changesDates()
    if isExplored, hasFewCores { touch(.cores, 0) }
  }

  /// Of the ways in which a step can go on, the one that was chosen.
  ///
  /// - Parameter count: how many there are; of a larger number the rest counts, so that any number by chance is one.
  mutating func chooseAlternative(of count: Int32) -> Int32 {
    guard count > 1, exploration.alternatives == 1 else { return 0 }
    exploration.alternatives = count
    return exploration.wanted % count
  }

  // MARK: What threads wait for

  /// What must be free for an operation that waits without end; nil when it need not wait.
  private mutating func need(of operation: Operation, _ thread: Int32) -> Explored.Need? {
    if waitIsTrap(operation) { return nil }
    switch operation {
    case .lock(let lock), .synchronized(let lock, _), .retakeLock(let lock), .once(let lock, _), .writeLock(let lock):
      // Also of a `once` that is done: it could have come before the one that did it, but not while that did.
      if hold(lock, by: ThreadID(rawValue: thread)) != nil { return nil }
      return Explored.Need(.lock, lock.rawValue, 1)
    case .readLock(let lock): return Explored.Need(.lock, lock.rawValue, 2)
    case .lockWhen(let lock, let value, .distantFuture):
      return Explored.Need(.lock, lock.rawValue, Self.bit(ofCondition: value))
    case .waitForSemaphore(let semaphore, .distantFuture): return Explored.Need(.semaphore, semaphore.rawValue, 1)
    default: return nil
    }
  }

  /// What of an object is free, as bits: 1 a lock to have for oneself, or a semaphore with a value; 2 a lock to read
  /// under; the others a condition lock that has a value; of the clock, 1 when something is due.
  mutating func availability(_ object: Int64) -> UInt8 {
    if object == Explored.clock { return agenda.isEmpty ? 0 : 1 }
    let id = Int(object & 0xFFFF_FFFF)
    switch Access.Kind(rawValue: object >> 32) {
    case .lock:
      guard locks[id].owner < 0 else { return 0 }
      let read: UInt8 = locks[id].waiters.first < 0 ? 2 : 0
      let whole: UInt8 = locks[id].firstReader < 0 ? 1 : 0
      return read | whole | (locks[id].kind == .conditionLock ? Self.bit(ofCondition: locks[id].value) : 0)
    case .semaphore: return semaphores[id].value > 0 ? 1 : 0
    default: return 0xFF
    }
  }

  private static func bit(ofCondition value: Int64) -> UInt8 { 4 << UInt8(((value % 6) + 6) % 6) }

  // MARK: The end

  /// Threads that are parked before what is not free wait for it, for the report of the end.
  mutating func blockParkedThreads() {
    listCandidates()
    for index in exploration.candidates.indices where exploration.candidates[index].isEnabled {
      let thread = exploration.candidates[index].thread
      guard let operation = threads[thread.index].pending else { continue }
      exploration.candidates[index].need = need(of: operation, thread.rawValue)
    }
    exploration.blockedAtEnd.assign(exploration.candidates)
    for index in threads.indices where threads[index].isParked {
      let thread = Int32(index)
      guard let operation = threads[index].pending, !canGoOn(operation, thread) else { continue }
      threads[index].isParked = false
      threads[index].pending = nil
      if case .retakeLock(let lock) = operation {
        queue(thread, for: lock.rawValue, .retake(lock.rawValue), until: .distantFuture, threads[index].waitPosition)
      } else {
        pop(thread)
        _ = execute(withPendingText(operation, thread), thread, threads[index].pendingPosition)
      }
    }
  }
}
