/// Read-write locks: many readers or one writer; a waiting writer holds back new readers.

extension System {
  /// `readLock()`, `tryReadLock()`.
  mutating func readLock(_ lock: Int32, isTry: Bool, _ thread: Int32, _ position: Position) -> Step {
    let index = Int(lock)
    tick &+= 1
    if locks[index].owner < 0, locks[index].waiters.first < 0 {
      addReader(index, thread, position)
      return .result(isTry ? .bool(true) : .none)
    }
    if isTry { return tryFailed(lock, thread, isRead: true) }
    if locks[index].owner == thread { return .result(.failure(.readWhileWriting(LockID(rawValue: lock)))) }
    return waitForLock(lock, .readLock(lock), until: .distantFuture, givesBool: false, thread, position)
  }

  /// `writeLock()`, `tryWriteLock()`.
  mutating func writeLock(_ lock: Int32, isTry: Bool, _ thread: Int32, _ position: Position) -> Step {
    let index = Int(lock)
    tick &+= 1
    if locks[index].owner < 0, locks[index].firstReader < 0 {
      take(index, thread, position)
      return .result(isTry ? .bool(true) : .none)
    }
    if isTry { return tryFailed(lock, thread, isRead: false) }
    if locks[index].owner == thread { return .result(.failure(.lockedTwice(LockID(rawValue: lock)))) }
    if hold(LockID(rawValue: lock), by: ThreadID(rawValue: thread)) != nil {
      return .result(.failure(.writeWhileReading(LockID(rawValue: lock))))
    }
    return waitForLock(lock, .writeLock(lock), until: .distantFuture, givesBool: false, thread, position)
  }

  private mutating func tryFailed(_ lock: Int32, _ thread: Int32, isRead: Bool) -> Step {
    postBusy(lock, thread, timedOut: false, isRead: isRead)
    return .result(.bool(false))
  }

  private mutating func addReader(_ index: Int, _ thread: Int32, _ position: Position) {
    let hold = LockHold(thread: ThreadID(rawValue: thread), since: now, position: position)
    let reader: Int32
    if freeReader >= 0 {
      reader = freeReader
      freeReader = readers[Int(reader)].next
      readers[Int(reader)] = ReaderRecord(hold: hold)
    } else {
      reader = Int32(readers.count)
      readers.append(ReaderRecord(hold: hold))
    }
    if locks[index].lastReader >= 0 {
      readers[Int(locks[index].lastReader)].next = reader
    } else {
      locks[index].firstReader = reader
    }
    locks[index].lastReader = reader
    post(.lock, thread, subject: locks[index].name)
  }

  /// `unlock()` of a thread that does not hold it for writing: it gives back its last hold for reading.
  mutating func unlockReader(_ lock: Int32, _ thread: Int32) -> Step {
    let index = Int(lock)
    var previous: Int32 = -1
    var found: Int32 = -1
    var beforeFound: Int32 = -1
    var reader = locks[index].firstReader
    while reader >= 0 {
      if readers[Int(reader)].hold.thread.rawValue == thread { (found, beforeFound) = (reader, previous) }
      previous = reader
      reader = readers[Int(reader)].next
    }
    guard found >= 0 else { return .result(.failure(.notHolder(LockID(rawValue: lock)))) }
    tick &+= 1
    let next = readers[Int(found)].next
    if beforeFound >= 0 { readers[Int(beforeFound)].next = next } else { locks[index].firstReader = next }
    if locks[index].lastReader == found { locks[index].lastReader = beforeFound }
    readers[Int(found)].next = freeReader
    freeReader = found
    post(.unlock, thread, subject: locks[index].name)
    if locks[index].waiters.first >= 0 { admit(index) }
    return .result(.none)
  }

  /// Lets in who has waited longest: one writer when nobody is in, or readers up to the next writer.
  mutating func admit(_ index: Int) {
    while locks[index].owner < 0, locks[index].waiters.first >= 0 {
      let thread = locks[index].waiters.first
      if case .readLock = threads[Int(thread)].wait {
        locks[index].waiters = removed(thread, from: locks[index].waiters)
        addReader(index, thread, threads[Int(thread)].waitPosition)
        wake(thread)
      } else {
        guard locks[index].firstReader < 0 else { return }
        locks[index].waiters = removed(thread, from: locks[index].waiters)
        grant(index, thread)
      }
    }
  }
}
