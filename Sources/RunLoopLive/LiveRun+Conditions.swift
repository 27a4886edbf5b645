import Dispatch
import RunLoopEngine
import RunLoopScript

/// Conditions with their mutex, condition locks and semaphores: real mutexes and condition variables.
extension LiveRun {
  /// What an operation on one of them is here; nil: it is none.
  func performOnConditions(_ operation: Operation) -> OperationResult? {
    switch operation {
    case .lockWhen(let lock, let value, let date):
      return takeConditionLock(liveLock(lock), lock, when: value, before: date)
    case .unlockWith(let lock, let value): return giveBackConditionLock(liveLock(lock), lock, value: value)
    case .conditionValue(let lock):
      let live = liveLock(lock)
      live.real.lock()
      defer { live.real.unlock() }
      return .number(.integer(live.value))
    case .waitForCondition(let lock): return sleep(on: liveLock(lock), lock, until: nil)
    case .waitForConditionUntil(let lock, let date): return sleep(on: liveLock(lock), lock, until: date)
    case .signalCondition(let lock, let all): return signal(liveLock(lock), all: all)
    case .waitForSemaphore(let semaphore, let date): return take(liveSemaphore(semaphore), before: date)
    case .signalSemaphore(let semaphore): return signal(liveSemaphore(semaphore))
    default: return nil
    }
  }

  private func liveSemaphore(_ id: SemaphoreID) -> LiveSemaphore {
    if let semaphore = semaphores[id] { return semaphore }
    let semaphore = LiveSemaphore(session.simulation.name(of: id), session.simulation.value(of: id))
    semaphores[id] = semaphore
    return semaphore
  }

  private func secondsLeft(until date: Nanoseconds) -> Double? {
    date == .distantFuture ? nil : clock.real(date - min(date, clock.now))
  }

  // MARK: Conditions

  private func sleep(on lock: LiveLock, _ id: LockID, until date: Nanoseconds?) -> OperationResult {
    guard lock.holder == current.id else { return .failure(.waitWithoutLock(id)) }
    if let date, date <= clock.now {
      session.simulation.post(.conditionWake, current.id, subject: lock.name) { $0.flags = 2 }
      return .bool(false)
    }
    #if !canImport(Darwin)
      if date == .distantFuture { trap(Library.waitForConditionUntilDistantFuture) }
    #endif
    session.simulation.post(.conditionWait, current.id, subject: lock.name)
    lock.holder = nil
    lock.sleepers += 1
    let seconds = date.flatMap { secondsLeft(until: $0) }
    let isSignalled = blocking(.condition(lock.name)) { lock.real.wait(atMost: seconds) }
    if !isSignalled { lock.sleepers = max(0, lock.sleepers - 1) }
    lock.holder = current.id
    lock.depth = 1
    session.simulation.post(.conditionWake, current.id, subject: lock.name) { $0.flags = isSignalled ? 0 : 2 }
    return date == nil ? .none : .bool(isSignalled)
  }

  /// Foundation has no room for the date of the distant future on Linux: a trap, which ends the process here as there.
  func trap(_ call: () -> Void) {
    session.deliverEvents()
    call()
  }

  private func signal(_ lock: LiveLock, all: Bool) -> OperationResult {
    session.simulation.post(.conditionSignal, current.id, subject: lock.name) {
      $0.flags = (lock.sleepers == 0 ? 1 : 0) | (all ? 2 : 0)
    }
    lock.sleepers = all ? 0 : max(0, lock.sleepers - 1)
    lock.real.signal(all: all)
    return .none
  }

  // MARK: Condition locks: who holds one, and its number, are changed under its mutex

  func takeConditionLock(
    _ lock: LiveLock, _ id: LockID, when value: Int64?, before date: Nanoseconds?
  ) -> OperationResult {
    if lock.holder == current.id, date.map({ $0 > clock.now }) ?? true {
      return .failure(.lockedTwice(id, until: date ?? .distantFuture))
    }
    let me = current.id
    func isFree() -> Bool { lock.holder == nil && (value == nil || lock.value == value) }
    lock.real.lock()
    if isFree() {
      lock.holder = me
      lock.real.unlock()
    } else {
      lock.real.unlock()
      if let date, date <= clock.now {
        postBusy(lock, timedOut: false)
        return .bool(false)
      }
      #if !canImport(Darwin)
        if lock.kind.waitIsTrap(until: date) { trap(Library.waitForConditionLock) }
      #endif
      postWait(lock, for: value)
      let end = date ?? .distantFuture
      let isMine = blocking(.lock(lock.name)) {
        lock.real.lock()
        while !isFree(), clock.now < end { _ = lock.real.wait(atMost: secondsLeft(until: end)) }
        let isMine = isFree()
        if isMine { lock.holder = me }
        lock.real.unlock()
        return isMine
      }
      guard isMine else {
        postBusy(lock, timedOut: true)
        return .bool(false)
      }
    }
    lock.depth = 1
    postLock(.lock, lock)
    return date == nil && value == nil ? .none : .bool(true)
  }

  func tryConditionLock(_ lock: LiveLock) -> OperationResult {
    lock.real.lock()
    let isFree = lock.holder == nil
    if isFree { lock.holder = current.id }
    lock.real.unlock()
    guard isFree else {
      postBusy(lock, timedOut: false)
      return .bool(false)
    }
    lock.depth = 1
    postLock(.lock, lock)
    return .bool(true)
  }

  func giveBackConditionLock(_ lock: LiveLock, _ id: LockID, value: Int64?) -> OperationResult {
    guard lock.holder == current.id else { return .failure(.notHolder(id)) }
    lock.real.lock()
    if let value { lock.value = value }
    postLock(.unlock, lock)
    lock.holder = nil
    lock.real.unlock()
    lock.real.signal(all: true)
    return .none
  }

  // MARK: Semaphores

  private func take(_ semaphore: LiveSemaphore, before date: Nanoseconds) -> OperationResult {
    session.simulation.post(.semaphoreWait, current.id, subject: semaphore.name)
    if semaphore.real.wait(timeout: .now()) == .success { return .bool(true) }
    var isTaken = false
    if date > clock.now {
      let limit = secondsLeft(until: date).map { DispatchTime.now() + min($0, 1e9) } ?? .distantFuture
      isTaken = blocking(.semaphore(semaphore.name)) { semaphore.real.wait(timeout: limit) == .success }
    }
    session.simulation.post(.semaphoreWake, current.id, subject: semaphore.name) { $0.flags = isTaken ? 0 : 2 }
    return .bool(isTaken)
  }

  private func signal(_ semaphore: LiveSemaphore) -> OperationResult {
    session.simulation.post(.semaphoreSignal, current.id, subject: semaphore.name)
    return .bool(semaphore.real.signal() != 0)
  }
}
