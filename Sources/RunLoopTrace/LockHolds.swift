import RunLoopEngine

/// Who holds which lock from when to when.
struct LockHolds {
  struct Change {
    /// The number of the hold, from 1.
    var number: Int
    var begins: Bool
    /// Who holds the lock, which is not always who ends that.
    var holder: ThreadID
  }

  private struct Key: Hashable {
    var lock: NameID
    var thread: ThreadID
  }

  private var open: [Key: Int] = [:]
  private var count = 0

  /// The hold that begins or ends at an event.
  mutating func change(_ event: Event) -> Change? {
    let key = Key(lock: event.subject, thread: event.thread)
    switch event.kind {
    case .lock, .conditionWake:
      // Taken again by the thread that has it: the same hold.
      guard open[key] == nil else { return nil }
      count += 1
      open[key] = count
      return Change(number: count, begins: true, holder: event.thread)
    // A lock that is held more than once is given back with the last unlock, which has depth 1.
    case .unlock where event.c <= 1, .conditionWait: return end(key)
    case .lockBreak:
      // Whoever breaks a lock takes it away from its holder.
      let holds = open.filter { $0.key.lock == event.subject }
      return holds.min { $0.value < $1.value }.flatMap { end($0.key) }
    default: return nil
    }
  }

  private mutating func end(_ key: Key) -> Change? {
    open.removeValue(forKey: key).map { Change(number: $0, begins: false, holder: key.thread) }
  }
}
