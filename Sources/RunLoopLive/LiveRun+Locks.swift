import RunLoopEngine
import RunLoopScript

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Locks that one thread holds at a time, and read-write locks: real ones.
extension LiveRun {
  /// What an operation on a lock is here; nil: it is none.
  func performOnLocks(_ operation: Operation) -> OperationResult? {
    switch operation {
    case .lock(let lock): return take(liveLock(lock), lock)
    case .tryLock(let lock): return tryToTake(liveLock(lock))
    case .lockBefore(let lock, let date): return take(liveLock(lock), lock, before: date)
    case .unlock(let lock): return giveBack(liveLock(lock), lock)
    case .breakLock(let lock): return breakLock(liveLock(lock))
    case .readLock(let lock): return read(liveLock(lock), lock, isTry: false)
    case .tryReadLock(let lock): return read(liveLock(lock), lock, isTry: true)
    case .writeLock(let lock): return write(liveLock(lock), lock, isTry: false)
    case .tryWriteLock(let lock): return write(liveLock(lock), lock, isTry: true)
    case .synchronized(let lock, let function): return synchronized(liveLock(lock), lock, function)
    case .once(let lock, let function): return once(liveLock(lock), lock, function)
    default: return performOnConditions(operation)
    }
  }

  func liveLock(_ id: LockID) -> LiveLock {
    if let lock = locks[id] { return lock }
    let lock = LiveLock(
      session.simulation.name(of: id), session.simulation.kind(of: id), session.simulation.value(of: id))
    locks[id] = lock
    return lock
  }

  // MARK: Taking

  private func take(_ lock: LiveLock, _ id: LockID) -> OperationResult {
    if lock.kind == .conditionLock { return takeConditionLock(lock, id, when: nil, before: nil) }
    if lock.holder == current.id { return takeAgain(lock, id) }
    if !lock.real.tryLock() {
      postWait(lock)
      blocking(.lock(lock.name)) { lock.real.lock() }
    }
    isTaken(lock)
    return .none
  }

  private func takeAgain(_ lock: LiveLock, _ id: LockID) -> OperationResult {
    guard lock.isRecursive else { return .failure(.lockedTwice(id)) }
    lock.depth += 1
    postLock(.lock, lock)
    return .none
  }

  private func tryToTake(_ lock: LiveLock) -> OperationResult {
    if lock.kind == .conditionLock { return tryConditionLock(lock) }
    if lock.holder == current.id, lock.isRecursive {
      lock.depth += 1
      postLock(.lock, lock)
      return .bool(true)
    }
    guard lock.holder == nil, lock.real.tryLock() else {
      postBusy(lock, timedOut: false)
      return .bool(false)
    }
    isTaken(lock)
    return .bool(true)
  }

  private func take(_ lock: LiveLock, _ id: LockID, before date: Nanoseconds) -> OperationResult {
    let isOwn = lock.holder == current.id
    if lock.kind == .conditionLock { return takeConditionLock(lock, id, when: nil, before: date) }
    if lock.holder == nil || (isOwn && lock.isRecursive) || date <= clock.now { return tryToTake(lock) }
    if isOwn { return .failure(.lockedTwice(id, until: date)) }
    #if !canImport(Darwin)
      if lock.kind.waitIsTrap(until: date) { trap(Library.waitForMutexUntilDistantFuture) }
    #endif
    postWait(lock)
    let seconds = clock.real(date - clock.now)
    guard blocking(.lock(lock.name), { lock.real.lock(atMost: seconds) }) else {
      postBusy(lock, timedOut: true)
      return .bool(false)
    }
    isTaken(lock)
    return .bool(true)
  }

  func isTaken(_ lock: LiveLock) {
    lock.holder = current.id
    lock.depth = 1
    postLock(.lock, lock)
  }

  // MARK: Giving back

  private func giveBack(_ lock: LiveLock, _ id: LockID) -> OperationResult {
    if lock.kind == .conditionLock { return giveBackConditionLock(lock, id, value: nil) }
    guard lock.holder == current.id else {
      return lock.kind == .readWriteLock ? giveBackRead(lock, id) : .failure(.notHolder(id))
    }
    postLock(.unlock, lock)
    lock.depth -= 1
    guard lock.depth == 0 else { return .none }
    lock.holder = nil
    if lock.kind == .readWriteLock { pthread_rwlock_unlock(lock.readWrite) } else { lock.real.unlock() }
    return .none
  }

  private func breakLock(_ lock: LiveLock) -> OperationResult {
    session.simulation.post(
      .lockBreak, current.id, subject: lock.name, other: lock.holder.map { session.simulation.name(of: $0) } ?? .none)
    if lock.holder != nil { lock.real.unlock() }
    lock.holder = nil
    lock.depth = 0
    return .none
  }

  // MARK: Readers and writers

  private func read(_ lock: LiveLock, _ id: LockID, isTry: Bool) -> OperationResult {
    if lock.holder == current.id { return isTry ? .bool(false) : .failure(.readWhileWriting(id)) }
    if pthread_rwlock_tryrdlock(lock.readWrite) != 0 {
      let writer = lock.waitingWriters.first
      if isTry {
        postBusy(lock, timedOut: false, behind: writer)
        return .bool(false)
      }
      postWait(lock, behind: writer)
      blocking(.lock(lock.name)) { _ = pthread_rwlock_rdlock(lock.readWrite) }
    }
    lock.readers.append(current.id)
    session.simulation.post(.lock, current.id, subject: lock.name)
    return isTry ? .bool(true) : .none
  }

  private func write(_ lock: LiveLock, _ id: LockID, isTry: Bool) -> OperationResult {
    if lock.holder == current.id, !isTry { return .failure(.lockedTwice(id)) }
    if lock.readers.contains(current.id), !isTry { return .failure(.writeWhileReading(id)) }
    if pthread_rwlock_trywrlock(lock.readWrite) != 0 {
      if isTry {
        postBusy(lock, timedOut: false)
        return .bool(false)
      }
      postWait(lock)
      lock.waitingWriters.append(current.id)
      blocking(.lock(lock.name)) { _ = pthread_rwlock_wrlock(lock.readWrite) }
      lock.waitingWriters.removeAll { $0 == current.id }
    }
    isTaken(lock)
    return isTry ? .bool(true) : .none
  }

  private func giveBackRead(_ lock: LiveLock, _ id: LockID) -> OperationResult {
    guard let place = lock.readers.lastIndex(of: current.id) else { return .failure(.notHolder(id)) }
    lock.readers.remove(at: place)
    session.simulation.post(.unlock, current.id, subject: lock.name)
    pthread_rwlock_unlock(lock.readWrite)
    return .none
  }

  // MARK: Functions under a guard

  private func synchronized(_ lock: LiveLock, _ id: LockID, _ function: HostValue) -> OperationResult {
    _ = take(lock, id)
    let results = call(Callout(of: .guarded, function))
    _ = giveBack(lock, id)
    return .results(results)
  }

  private func once(_ lock: LiveLock, _ id: LockID, _ function: HostValue) -> OperationResult {
    if lock.holder == current.id { return .failure(.onceInsideItself(id)) }
    if !lock.isDone, lock.holder != nil {
      postWait(lock)
      _ = wait(.lock(lock.name)) { lock.isDone || lock.holder == nil }
    }
    guard !lock.isDone else {
      session.release(function)
      return .bool(false)
    }
    lock.holder = current.id
    session.simulation.post(.lock, current.id, subject: lock.name)
    session.release(call(Callout(of: .guarded, function)))
    session.simulation.post(.unlock, current.id, subject: lock.name)
    lock.holder = nil
    lock.isDone = true
    stateChanged()
    return .bool(true)
  }

  // MARK: Events

  func postLock(_ kind: EventKind, _ lock: LiveLock) {
    session.simulation.post(kind, current.id, subject: lock.name) {
      $0.c = lock.depth
      if lock.kind == .conditionLock {
        $0.flags |= 4
        $0.b = lock.value
      }
    }
  }

  /// - Parameter writer: who waits to write, and so holds back a reader.
  func postWait(_ lock: LiveLock, for value: Int64? = nil, behind writer: ThreadID? = nil) {
    let holder = lock.holder ?? lock.readers.first
    session.simulation.post(
      .lockWait, current.id, subject: lock.name, other: holder.map { session.simulation.name(of: $0) } ?? .none
    ) {
      $0.c = Int64(lock.readers.count)
      $0.mode = writer.map { session.simulation.name(of: $0) } ?? .none
      if let value {
        $0.flags |= 4
        $0.b = value
      }
    }
  }

  func postBusy(_ lock: LiveLock, timedOut: Bool, behind writer: ThreadID? = nil) {
    let holder = lock.holder ?? lock.readers.first
    session.simulation.post(
      .lockBusy, current.id, subject: lock.name, other: holder.map { session.simulation.name(of: $0) } ?? .none
    ) {
      $0.c = Int64(lock.readers.count)
      $0.mode = writer.map { session.simulation.name(of: $0) } ?? .none
      $0.flags |= timedOut ? 2 : 0
    }
  }
}

extension LiveLock {
  var isRecursive: Bool { kind == .recursiveMutex || kind == .synchronized }
}
