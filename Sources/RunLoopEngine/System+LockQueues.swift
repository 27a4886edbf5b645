/// Who waits for locks and who holds them: the queues, the events and the reading.

extension System {
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
    case .room(let port): ports[Int(port)].senders.remove(thread)
    case .lock(let lock), .spin(let lock), .lockWhen(let lock, _), .readLock(let lock), .writeLock(let lock):
      touch(.lock, lock)
      locks[Int(lock)].waiters = removed(thread, from: locks[Int(lock)].waiters)
    case .condition(let lock):
      touch(.lock, lock)
      locks[Int(lock)].sleepers = removed(thread, from: locks[Int(lock)].sleepers)
      willRetake(lock, thread)
    case .semaphore(let semaphore):
      touch(.semaphore, semaphore)
      semaphores[Int(semaphore)].waiters = removed(thread, from: semaphores[Int(semaphore)].waiters)
    case .none, .loop, .sleep, .work, .join, .perform, .mainQueue, .retake, .once: break
    }
  }

  // MARK: Events

  @inline(never)
  mutating func postLock(_ kind: EventKind, _ index: Int, _ thread: Int32) {
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
    event.c = readerCount(lock)
    if case .readLock = wait { event.mode = waitingWriter(lock) }
    if case .lockWhen(_, let value) = wait { event.setCondition(value) }
    events.append(event)
  }

  /// `lock.busy`.
  ///
  /// - Parameter isRead: a try to read.
  mutating func postBusy(_ lock: Int32, _ thread: Int32, timedOut: Bool, isRead: Bool = false) {
    guard traces(.lock) else { return }
    var event = event(.lockBusy, thread)
    event.subject = locks[Int(lock)].name
    event.other = holderName(lock)
    event.c = readerCount(lock)
    if isRead { event.mode = waitingWriter(lock) }
    event.flags = timedOut ? 2 : 0
    events.append(event)
  }

  private func readerCount(_ lock: Int32) -> Int64 {
    var count: Int64 = 0
    var reader = locks[Int(lock)].firstReader
    while reader >= 0 {
      count += 1
      reader = readers[Int(reader)].next
    }
    return count
  }

  /// The writer that has waited longest, whom new readers have to wait for.
  private mutating func waitingWriter(_ lock: Int32) -> NameID {
    var waiter = locks[Int(lock)].waiters.first
    while waiter >= 0 {
      if case .writeLock = threads[Int(waiter)].wait { return threads[Int(waiter)].name }
      waiter = threads[Int(waiter)].nextWaiter
    }
    return .none
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
