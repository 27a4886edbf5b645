/// What is held and waited for, as text for people.

extension System {
  /// A lock with its holder: "mutex m (held by worker since 0.500000000 at script.lua:3)".
  func lockText(_ lock: Int32) -> String {
    let name = "\(locks[Int(lock)].kind.word) \(names[locks[Int(lock)].name])"
    guard let hold = firstHold(LockID(rawValue: lock)) else { return name }
    return "\(name) (held by \(names[threads[hold.thread.index].name])\(sinceText(hold)))"
  }

  private func sinceText(_ hold: LockHold) -> String {
    let place = names.text(of: hold.position, after: " at ")
    return " since \(hold.since.traceText)\(place)"
  }

  /// The locks that a thread holds, one a line.
  func describeHolds(_ thread: ThreadID) -> String {
    var text = ""
    for lock in locks.indices {
      guard let hold = hold(LockID(lock), by: thread) else { continue }
      text += "  holds \(locks[lock].kind.word) \(names[locks[lock].name])\(sinceText(hold))\n"
    }
    return text
  }
}

extension LockKind {
  /// What messages call it.
  public var word: String {
    switch self {
    case .mutex: "mutex"
    case .recursiveMutex: "recursive mutex"
    case .readWriteLock: "read-write lock"
    case .spinLock: "spin lock"
    case .distributedLock: "distributed lock"
    case .condition: "condition"
    case .conditionLock: "condition lock"
    case .synchronized: "the lock of an object:"
    case .once: "once"
    }
  }
}
