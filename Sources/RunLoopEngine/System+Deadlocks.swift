/// Who waits for whom: circles of threads, and the words for a wait in a fault.

extension System {
  /// Whom a thread that waits without a date waits for: each of them has to give way. Empty when it waits for nobody in
  /// particular.
  func awaited(by thread: Int32) -> [Int32] {
    guard threads[Int(thread)].state == .blocked, threads[Int(thread)].alarm < 0 else { return [] }
    switch threads[Int(thread)].wait {
    case .join(let target): return threads[Int(target)].state == .ended ? [] : [target]
    case .perform(let target): return [target]
    case .mainQueue: return [0]
    case .room(let port):
      guard let seat = ports[Int(port)].seats.first else { return [] }
      return [loops[Int(modes[Int(seat.mode)].loop)].thread]
    case .lock(let lock), .spin(let lock), .lockWhen(let lock, _), .retake(let lock), .once(let lock):
      let owner = locks[Int(lock)].owner
      return owner < 0 || threads[Int(owner)].state == .ended ? [] : [owner]
    case .readLock(let lock), .writeLock(let lock): return awaited(by: thread, atReadWriteLock: Int(lock))
    case .none, .loop, .sleep, .work, .condition, .semaphore: return []
    }
  }

  /// The writer that is in, or all readers; when the thread wants to read, the writers that wait before it.
  private func awaited(by thread: Int32, atReadWriteLock index: Int) -> [Int32] {
    var found: [Int32] = []
    if locks[index].owner >= 0 { found.append(locks[index].owner) }
    if case .writeLock = threads[Int(thread)].wait {
      var reader = locks[index].firstReader
      while reader >= 0 {
        found.append(readers[Int(reader)].hold.thread.rawValue)
        reader = readers[Int(reader)].next
      }
    }
    var waiter = locks[index].waiters.first
    while waiter >= 0, waiter != thread {
      if case .writeLock = threads[Int(waiter)].wait { found.append(waiter) }
      waiter = threads[Int(waiter)].nextWaiter
    }
    return found.filter { threads[Int($0)].state != .ended }
  }

  /// The lock that a thread waits for.
  func awaitedLock(of thread: Int32) -> LockID? {
    switch threads[Int(thread)].wait {
    case .lock(let lock), .spin(let lock), .lockWhen(let lock, _), .retake(let lock), .once(let lock),
      .readLock(let lock), .writeLock(let lock):
      LockID(rawValue: lock)
    default: nil
    }
  }

  // MARK: Words

  /// What a thread waits for, and where.
  ///
  /// - Parameter other: the thread that it waits for, -1: nobody in particular.
  func waitParts(_ thread: Int32, on other: Int32) -> [(key: String, value: String)] {
    let record = threads[Int(thread)]
    var parts: [(key: String, value: String)] = [("thread", names[record.name])]
    switch record.wait {
    case .join(let target):
      parts.append(("waits", "join:\(names[threads[Int(target)].name])"))
      if threads[Int(target)].state == .new { parts.append(("started", "false")) }
    case .perform(let target):
      parts.append(("waits", "perform:\(names[threads[Int(target)].name])"))
      if threads[Int(target)].state == .new { parts.append(("started", "false")) }
    case .room(let port): parts.append(("waits", "room:\(names[ports[Int(port)].name])"))
    case .mainQueue: parts.append(("waits", "mainQueue"))
    case .condition(let lock): parts.append(("waits", "condition:\(names[locks[Int(lock)].name])"))
    case .semaphore(let semaphore): parts.append(("waits", "semaphore:\(names[semaphores[Int(semaphore)].name])"))
    case .sleep: parts += [("waits", "sleep"), ("until", "never")]
    case .work: parts += [("waits", "work"), ("until", "never")]
    case .lock, .spin, .lockWhen, .retake, .once, .readLock, .writeLock, .none, .loop: break
    }
    if let lock = awaitedLock(of: thread) {
      parts.append(("waits", "lock:\(names[locks[lock.index].name])"))
      if case .lockWhen(_, let value) = record.wait {
        parts += [("condition", "\(value)"), ("has", "\(locks[lock.index].value)")]
      }
      parts += holderParts(lock, other)
    } else if other >= 0 {
      parts.append(("on", names[threads[Int(other)].name]))
    }
    return parts + place(record.waitPosition)
  }

  private func holderParts(_ lock: LockID, _ other: Int32) -> [(key: String, value: String)] {
    let hold = other < 0 ? firstHold(lock) : self.hold(lock, by: ThreadID(rawValue: other))
    guard let hold else {
      // A writer that waits itself holds a reader back.
      return other < 0 ? [] : [("on", names[threads[Int(other)].name])]
    }
    var parts = [("holder", names[threads[hold.thread.index].name]), ("since", hold.since.traceText)]
    if hold.position.line > 0 { parts.append(("lockedAt", names.text(of: hold.position))) }
    if threads[hold.thread.index].state == .ended { parts.append(("holderEnded", "true")) }
    if threads[hold.thread.index].state == .ready, hasFewCores { parts.append(("holderWaits", "core")) }
    return parts
  }

  // MARK: Deadlocks

  /// Threads that wait for each other in a circle.
  mutating func reportDeadlocks() -> Bool {
    // As a rule, at the end of a run nobody waits.
    guard threads.indices.contains(where: { threads[$0].state == .blocked }) else { return false }
    var found = false
    var isDone = [Bool](repeating: false, count: threads.count)
    var placeOnPath = [Int](repeating: -1, count: threads.count)
    for start in threads.indices where !isDone[start] {
      // The way from `start`, with those whom each thread on it waits for and who were not looked at yet.
      var path: [(thread: Int32, rest: ArraySlice<Int32>)] = [(Int32(start), awaited(by: Int32(start))[...])]
      placeOnPath[start] = 0
      while let last = path.last {
        guard let next = last.rest.first else {
          isDone[Int(last.thread)] = true
          placeOnPath[Int(last.thread)] = -1
          path.removeLast()
          continue
        }
        path[path.count - 1].rest.removeFirst()
        if placeOnPath[Int(next)] >= 0 {
          let circle = path[placeOnPath[Int(next)]...].map(\.thread)
          found = reportDeadlock(circle) || found
        } else if !isDone[Int(next)] {
          placeOnPath[Int(next)] = path.count
          path.append((next, awaited(by: next)[...]))
        }
      }
    }
    return found
  }

  /// Posts a circle, each waiting for the next, unless all of it was posted as part of others.
  private mutating func reportDeadlock(_ circle: [Int32]) -> Bool {
    guard circle.contains(where: { !threads[Int($0)].isInDeadlock }) else { return false }
    for (place, thread) in circle.enumerated() {
      threads[Int(thread)].isInDeadlock = true
      let next = circle[(place + 1) % circle.count]
      let previous = circle[(place + circle.count - 1) % circle.count]
      postFault(.deadlock, thread, waitParts(thread, on: next) + heldParts(thread, for: previous))
    }
    return true
  }

  /// What a thread holds that the one before it in the circle waits for.
  private func heldParts(_ thread: Int32, for previous: Int32) -> [(key: String, value: String)] {
    guard let lock = awaitedLock(of: previous), let hold = hold(lock, by: ThreadID(rawValue: thread)) else { return [] }
    var parts = [("holds", names[locks[lock.index].name])]
    if hold.position.line > 0 { parts.append(("heldAt", names.text(of: hold.position))) }
    return parts
  }
}
