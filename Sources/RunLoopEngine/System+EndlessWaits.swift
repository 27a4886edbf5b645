/// Waits for Foundation's locks that have no end, which on Linux end the process (semantics 2.8; NSLock.swift of
/// swift-corelibs-foundation).
///
/// A date becomes a count of nanoseconds there, and that of the distant future has no room for it: a trap. A condition
/// lock that has to wait without a date waits until the distant future; a mutex waits without one.

extension LockKind {
  /// Whether Foundation's lock of this kind traps on Linux where it has to wait.
  ///
  /// - Parameter date: until when; nil: no date was given.
  package func waitIsTrap(until date: Nanoseconds?) -> Bool {
    switch self {
    case .conditionLock: date == nil || date == .distantFuture
    case .mutex, .recursiveMutex: date == .distantFuture
    case .readWriteLock, .spinLock, .distributedLock, .condition, .synchronized, .once: false
    }
  }
}

extension System {
  /// Whether an operation ends the process where it has to wait: it is done at once, either way.
  mutating func waitIsTrap(_ operation: Operation) -> Bool {
    guard configuration.profile == .linux else { return false }
    switch operation {
    case .lock(let lock): return locks[lock.index].kind.waitIsTrap(until: nil)
    case .lockBefore(let lock, let date), .lockWhen(let lock, _, let date):
      return locks[lock.index].kind.waitIsTrap(until: date)
    default: return false
    }
  }

  /// A lock has to be waited for: ends the process where that is a trap.
  ///
  /// - Returns: whether it is one.
  mutating func waitTraps(_ lock: Int32, until date: Nanoseconds?, _ thread: Int32, _ position: Position) -> Bool {
    guard configuration.profile == .linux, locks[Int(lock)].kind.waitIsTrap(until: date) else { return false }
    let isConditionLock = locks[Int(lock)].kind == .conditionLock
    let name = names[locks[Int(lock)].name]
    trap(
      [("reason", isConditionLock ? "conditionWaitUntilDistantFuture" : "lockBeforeDistantFuture"), ("lock", name)],
      thread, at: position,
      "a wait for '\(name)' until the distant future, for which Foundation has no room on Linux"
        + (isConditionLock ? " (lockWhen and lockBefore take a nearer date)" : " (lock waits without a date)"))
    return true
  }
}
