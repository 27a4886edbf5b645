/// Locks that one thread holds at a time (semantics 4): first come, first served.

extension System {
  /// Makes a lock.
  ///
  /// - Parameter value: the number of a condition lock.
  mutating func makeLock(_ kind: LockKind, name: NameID, value: Int64 = 0) -> LockID {
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
    if isOwn { return .result(.failure(.lockedTwice(LockID(rawValue: lock)))) }
    return waitForLock(lock, .lock(lock), until: date, givesBool: true, thread, position)
  }

  /// `lockWhen(value, before)`: waits until a condition lock is free and has the value.
  mutating func lock(
    _ lock: Int32, when value: Int64, before date: Nanoseconds, _ thread: Int32, _ position: Position
  ) -> Step {
    let index = Int(lock)
    tick &+= 1
    if locks[index].owner == thread { return .result(.failure(.lockedTwice(LockID(rawValue: lock)))) }
    if locks[index].owner < 0, locks[index].value == value {
      take(index, thread, position)
      return .result(.bool(true))
    }
    if date <= now { return busy(lock, thread) }
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
      block(thread, .spin(lock), until: date)
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

  // MARK: Queues

  /// A queue with one more thread at its end.
  mutating func appended(_ thread: Int32, to queue: WaitQueue) -> WaitQueue {
    var queue = queue
    threads[Int(thread)].nextWaiter = -1
    if queue.last >= 0 { threads[Int(queue.last)].nextWaiter = thread } else { queue.first = thread }
    queue.last = thread
    return queue
  }

  /// A queue without one of its threads.
  ///
  /// - Complexity: O(n) in those who have waited longer.
  mutating func removed(_ thread: Int32, from queue: WaitQueue) -> WaitQueue {
    var queue = queue
    var previous: Int32 = -1
    var each = queue.first
    while each >= 0, each != thread {
      previous = each
      each = threads[Int(each)].nextWaiter
    }
    guard each >= 0 else { return queue }
    let next = threads[Int(thread)].nextWaiter
    if previous >= 0 { threads[Int(previous)].nextWaiter = next } else { queue.first = next }
    if queue.last == thread { queue.last = previous }
    threads[Int(thread)].nextWaiter = -1
    return queue
  }

  /// The date of a thread's wait has come: it is in no queue any more.
  mutating func leaveQueue(_ thread: Int32) {
    switch threads[Int(thread)].wait {
    case .room(let port): ports[Int(port)].senders.removeAll { $0 == thread }
    case .lock(let lock), .spin(let lock), .lockWhen(let lock, _), .readLock(let lock), .writeLock(let lock):
      locks[Int(lock)].waiters = removed(thread, from: locks[Int(lock)].waiters)
    case .condition(let lock):
      locks[Int(lock)].sleepers = removed(thread, from: locks[Int(lock)].sleepers)
      willRetake(lock, thread)
    case .semaphore(let semaphore):
      semaphores[Int(semaphore)].waiters = removed(thread, from: semaphores[Int(semaphore)].waiters)
    case .none, .loop, .sleep, .work, .join, .perform, .mainQueue, .retake, .once: break
    }
  }

  // MARK: Events

  @inline(never)
  private mutating func postLock(_ kind: EventKind, _ index: Int, _ thread: Int32) {
    guard traces(.lock) else { return }
    var event = event(kind, thread)
    event.subject = locks[index].name
    event.c = Int64(locks[index].depth)
    if locks[index].kind == .conditionLock { event.setCondition(locks[index].value) }
    events.append(event)
  }

  /// `lock.wait`.
  mutating func postWaiting(_ lock: Int32, _ wait: Wait, _ thread: Int32) {
    guard traces(.lock) else { return }
    var event = event(.lockWait, thread)
    event.subject = locks[Int(lock)].name
    event.other = holderName(lock)
    if case .lockWhen(_, let value) = wait { event.setCondition(value) }
    events.append(event)
  }

  /// `lock.busy`.
  mutating func postBusy(_ lock: Int32, _ thread: Int32, timedOut: Bool) {
    guard traces(.lock) else { return }
    var event = event(.lockBusy, thread)
    event.subject = locks[Int(lock)].name
    event.other = holderName(lock)
    event.flags = timedOut ? 2 : 0
    events.append(event)
  }

  private mutating func holderName(_ lock: Int32) -> NameID {
    guard let hold = firstHold(LockID(rawValue: lock)) else { return .none }
    return threads[hold.thread.index].name
  }

  // MARK: Reading

  /// Who holds a lock; of several readers the first.
  func firstHold(_ lock: LockID) -> LockHold? {
    let record = locks[lock.index]
    if record.owner >= 0 {
      return LockHold(thread: ThreadID(rawValue: record.owner), since: record.since, position: record.position)
    }
    return record.firstReader >= 0 ? readers[Int(record.firstReader)].hold : nil
  }

  /// How a thread holds a lock; nil when it does not.
  func hold(_ lock: LockID, by thread: ThreadID) -> LockHold? {
    let record = locks[lock.index]
    if record.owner == thread.rawValue {
      return LockHold(thread: thread, since: record.since, position: record.position)
    }
    var reader = record.firstReader
    while reader >= 0 {
      if readers[Int(reader)].hold.thread == thread { return readers[Int(reader)].hold }
      reader = readers[Int(reader)].next
    }
    return nil
  }
}

extension Event {
  /// The number of a condition lock, for its events.
  mutating func setCondition(_ value: Int64) {
    flags |= 4
    b = value
  }
}
