/// Locks that one thread holds at a time (semantics 4): first come, first served.

extension System {
  /// Makes a lock.
  ///
  /// - Parameters:
  ///   - value: the number of a condition lock.
  ///   - key: the text that it belongs to, whoever uses it first.
  mutating func makeLock(
    _ kind: LockKind, name: NameID, value: Int64 = 0, key: UnsafeBufferPointer<UInt8>? = nil
  ) -> LockID {
    noteMade(.lock, locks.count, key: key, family: kind == .once ? 1 : 0)
    var record = LockRecord(name: name, kind: kind)
    record.value = value
    locks.append(record)
    return LockID(locks.count - 1)
  }

  // MARK: Locking

  /// `lock()`.
  mutating func lock(_ lock: Int32, _ thread: Int32, _ position: Position) -> Step {
    let index = Int(lock)
    tick &+= 1
    if locks[index].owner < 0 {
      take(index, thread, position)
      return .result(.none)
    }
    if locks[index].owner == thread { return lockAgain(lock, thread) }
    if waitTraps(lock, until: nil, thread, position) { return .parked }
    return waitForLock(lock, .lock(lock), until: .distantFuture, givesBool: false, thread, position)
  }

  /// `tryLock()`: never waits.
  mutating func tryLock(_ lock: Int32, _ thread: Int32, _ position: Position) -> Step {
    let index = Int(lock)
    tick &+= 1
    if locks[index].owner < 0 {
      take(index, thread, position)
      return .result(.bool(true))
    }
    if locks[index].owner == thread, locks[index].kind.isRecursive {
      _ = lockAgain(lock, thread)
      return .result(.bool(true))
    }
    return busy(lock, thread)
  }

  /// `lockBefore(date)`: waits until the date; a past one tries.
  mutating func lock(_ lock: Int32, before date: Nanoseconds, _ thread: Int32, _ position: Position) -> Step {
    let index = Int(lock)
    let isOwn = locks[index].owner == thread
    if locks[index].owner < 0 || (isOwn && locks[index].kind.isRecursive) || date <= now {
      return tryLock(lock, thread, position)
    }
    tick &+= 1
    if isOwn { return .result(.failure(.lockedTwice(LockID(rawValue: lock), until: date))) }
    if waitTraps(lock, until: date, thread, position) { return .parked }
    return waitForLock(lock, .lock(lock), until: date, givesBool: true, thread, position)
  }

  /// `lockWhen(value, before)`: waits until a condition lock is free and has the value.
  mutating func lock(
    _ lock: Int32, when value: Int64, before date: Nanoseconds, _ thread: Int32, _ position: Position
  ) -> Step {
    let index = Int(lock)
    tick &+= 1
    if locks[index].owner == thread, date > now {
      return .result(.failure(.lockedTwice(LockID(rawValue: lock), until: date)))
    }
    if locks[index].owner < 0, locks[index].value == value {
      take(index, thread, position)
      return .result(.bool(true))
    }
    if date <= now { return busy(lock, thread) }
    if waitTraps(lock, until: date, thread, position) { return .parked }
    return waitForLock(lock, .lockWhen(lock, value), until: date, givesBool: true, thread, position)
  }

  private mutating func lockAgain(_ lock: Int32, _ thread: Int32) -> Step {
    let index = Int(lock)
    guard locks[index].kind.isRecursive else { return .result(.failure(.lockedTwice(LockID(rawValue: lock)))) }
    locks[index].depth += 1
    postLock(.lock, index, thread)
    return .result(.none)
  }

  /// A free lock is the thread's from now on.
  @inline(__always)
  mutating func take(_ index: Int, _ thread: Int32, _ position: Position, silently: Bool = false) {
    locks[index].owner = thread
    locks[index].depth = 1
    locks[index].since = now
    locks[index].position = position
    if !silently, traces(.lock) { postLock(.lock, index, thread) }
  }

  private mutating func busy(_ lock: Int32, _ thread: Int32) -> Step {
    postBusy(lock, thread, timedOut: false)
    return .result(.bool(false))
  }

  /// Queues for a lock that is not to be had.
  mutating func waitForLock(
    _ lock: Int32, _ wait: Wait, until date: Nanoseconds, givesBool: Bool, _ thread: Int32, _ position: Position
  ) -> Step {
    postWaiting(lock, wait, thread)
    let frame = push(.wait, on: thread, fromHost: true)
    frames[frame].step = givesBool ? 1 : 0
    queue(thread, for: lock, wait, until: date, position)
    return giveWay(thread) ? advance(thread) : .parked
  }

  mutating func queue(
    _ thread: Int32, for lock: Int32, _ wait: Wait, until date: Nanoseconds, _ position: Position
  ) {
    locks[Int(lock)].waiters = appended(thread, to: locks[Int(lock)].waiters)
    threads[Int(thread)].waitPosition = position
    if case .lock = wait, locks[Int(lock)].kind == .spinLock {
      if hasFewCores { spinOnCore(thread, lock, until: date) } else { block(thread, .spin(lock), until: date) }
    } else {
      block(thread, wait, until: date)
    }
  }

  /// A wait for a lock is over: it was handed over, or the date has passed.
  mutating func endLockWait(_ lock: Int32, _ frame: Int, _ thread: Int32) -> Flow {
    let isTaken = threads[Int(thread)].outcome == 1
    if !isTaken { postBusy(lock, thread, timedOut: true) }
    result = frames[frame].step == 1 ? .bool(isTaken) : .none
    return .done
  }

  // MARK: On the spot

  /// Whether operations on locks make no events and are no points where another thread may go on.
  @inline(__always)
  private mutating func locksUnnoticed() -> Bool {
    !isPreemptive && !traces(.lock) && steps < configuration.maximumSteps
  }

  /// `lock()` and `tryLock()` of a free lock that nobody notices.
  @inline(__always)
  mutating func lockQuickly(_ lock: Int32, _ thread: Int32, at position: Position) -> Bool {
    guard locks[Int(lock)].owner < 0, locksUnnoticed() else { return false }
    stillFrame = -1
    hasBegun = true
    steps &+= 1
    tick &+= 1
    take(Int(lock), thread, position, silently: true)
    return true
  }

  /// `unlock()` of a lock that nobody waits for and nobody notices.
  @inline(__always)
  mutating func unlockQuickly(_ lock: Int32, _ thread: Int32) -> Bool {
    let index = Int(lock)
    guard locks[index].owner == thread, locks[index].depth == 1, locks[index].waiters.first < 0, locksUnnoticed() else {
      return false
    }
    stillFrame = -1
    steps &+= 1
    tick &+= 1
    locks[index].owner = -1
    locks[index].depth = 0
    return true
  }

  // MARK: Unlocking

  /// `unlock()`, `unlockWith(value)`.
  mutating func unlock(_ lock: Int32, value: Int64?, _ thread: Int32) -> Step {
    let index = Int(lock)
    guard locks[index].owner == thread else {
      if locks[index].kind == .readWriteLock { return unlockReader(lock, thread) }
      return .result(.failure(.notHolder(LockID(rawValue: lock))))
    }
    tick &+= 1
    if let value { locks[index].value = value }
    unlockOnce(index, thread)
    return .result(.none)
  }

  /// Gives one lock of the holder's back; the last one frees it.
  mutating func unlockOnce(_ index: Int, _ thread: Int32) {
    if traces(.lock) { postLock(.unlock, index, thread) }
    locks[index].depth -= 1
    if locks[index].depth == 0 { free(index) }
  }

  /// Nobody holds the lock any more: it goes to the longest waiter that can take it.
  @inline(__always)
  mutating func free(_ index: Int) {
    locks[index].owner = -1
    locks[index].depth = 0
    if locks[index].waiters.first >= 0 { handOver(index) }
  }

  @inline(never)
  private mutating func handOver(_ index: Int) {
    if locks[index].kind == .readWriteLock { return admit(index) }
    var thread = locks[index].waiters.first
    while thread >= 0 {
      if case .lockWhen(_, let value) = threads[Int(thread)].wait, value != locks[index].value {
        thread = threads[Int(thread)].nextWaiter
        continue
      }
      locks[index].waiters = removed(thread, from: locks[index].waiters)
      grant(index, thread)
      return
    }
  }

  /// A waiter has the lock from now on, and goes on when it is its turn.
  mutating func grant(_ index: Int, _ thread: Int32) {
    if case .retake = threads[Int(thread)].wait {
      take(index, thread, threads[Int(thread)].waitPosition, silently: true)
      postConditionWake(Int(threads[Int(thread)].top), thread)
    } else {
      take(index, thread, threads[Int(thread)].waitPosition)
    }
    wake(thread)
  }

  /// `breakLock()`: whoever holds it, it is free.
  mutating func breakLock(_ lock: Int32, _ thread: Int32) -> Step {
    let index = Int(lock)
    tick &+= 1
    if traces(.lock) {
      var event = event(.lockBreak, thread)
      event.subject = locks[index].name
      if locks[index].owner >= 0 { event.other = threads[Int(locks[index].owner)].name }
      events.append(event)
    }
    free(index)
    return .result(.none)
  }
}
