/// Threads: start, end, join, and the waits (semantics 4).

extension System {
  // MARK: Start

  /// - Parameter outcome: what the operation gives when the thread was started.
  mutating func startThread(
    _ target: Int32, _ thread: Int32, _ position: Position, gives outcome: OperationResult = .none
  ) -> Step {
    touch(.life, target)
    touch(.thread, target)
    guard threads[Int(target)].state == .new else {
      return .result(.failure(.alreadyStarted(ThreadID(rawValue: target), threads[Int(target)].startPosition)))
    }
    tick &+= 1
    threads[Int(target)].startPosition = position
    if threads[Int(target)].isCancelled {
      // A thread that was cancelled before its start never runs its entry.
      if !threads[Int(target)].isJoinable { touch(.living, 0) }
      threads[Int(target)].state = .ended
      wakeJoiner(of: target)
      return .result(outcome)
    }
    if !isMultiThreaded {
      isMultiThreaded = true
      if beginPost(.willBecomeMultiThreaded, .any, .none, thread, fromHost: true, starts: target, gives: outcome) {
        return advance(thread)
      }
    }
    makeRunnable(target)
    return .result(outcome)
  }

  /// A new thread waits for its first turn.
  mutating func makeRunnable(_ target: Int32) {
    if threads[Int(target)].isJoinable { living += 1 } else { touch(.living, 0) }
    makeReady(target)
  }

  /// The first step of a new thread.
  mutating func beginThread(_ thread: Int32) {
    push(.thread, on: thread, fromHost: true)
    post(.threadStart, thread, subject: .none)
  }

  private var endsAreSteps: Bool { configuration.exploration?.endsAreSteps ?? false }

  /// A thread's life: its entry, then its end (semantics 4).
  mutating func stepThread(_ frame: Int, _ thread: Int32) -> Flow {
    switch frames[frame].step {
    case 0:
      frames[frame].step = 1
      callout = Callout(kind: .entry, callback: threads[Int(thread)].entry, object: thread)
      callout.value = threads[Int(thread)].arguments
      return .call
    case 1:
      if endsAreSteps, thread != 0, mustAsk(frame, thread, .endThread) { return .pause }
      // The entry has returned: its autorelease pools are drained.
      frames[frame].step = 2
      threads[Int(thread)].isEnding = true
      if threads[Int(thread)].pool >= 0 { beginDrain(from: 0, thread) }
      return .again
    case 2:
      // The main thread ends with the process, which is no news.
      frames[frame].step = 3
      if thread != 0 {
        _ = beginPost(.threadWillExit, .thread(ThreadID(rawValue: thread)), .none, thread, fromHost: false)
      }
      return .again
    case 3:
      // Its loop is taken apart, but for the main thread's, which lives as long as the process.
      frames[frame].step = 4
      let loop = threads[Int(thread)].loop
      if thread != 0, loop >= 0 {
        noteLeft(in: loop)
        detachTimersAndObservers(loop)
        var removed: [(source: Int32, mode: Int32)] = []
        for mode in loops[Int(loop)].modes {
          for source in modes[Int(mode)].sources { removed.append((source, mode)) }
        }
        _ = cancel(removed, thread, fromHost: false)
        return .again
      }
      return .again
    default:
      // What the last callbacks autoreleased.
      if threads[Int(thread)].pool >= 0 {
        beginDrain(from: 0, thread)
        return .again
      }
      endThread(thread)
      result = .none
      // Nothing of the script goes on after `rl.exitThread`.
      return threads[Int(thread)].isExiting ? .pause : .done
    }
  }

  /// The timers and observers of a dying loop belong to none then, and stay valid.
  private mutating func detachTimersAndObservers(_ loop: Int32) {
    loops[Int(loop)].commonItems.removeAll()
    for mode in loops[Int(loop)].modes {
      while !modes[Int(mode)].timers.isEmpty { removeTimer(modes[Int(mode)].timers.first.timer, mode) }
      for observer in modes[Int(mode)].observers { removeObserver(observer, mode) }
      for port in modes[Int(mode)].ports { removePort(port, mode) }
    }
  }

  private mutating func endThread(_ thread: Int32) {
    let loop = threads[Int(thread)].loop
    if thread != 0, loop >= 0 { loops[Int(loop)].isGone = true }
    notePerformsLeft(by: thread)
    dropPerforms(thread)
    post(.threadExit, thread, subject: .none)
    // Nobody sees the main thread's end.
    if thread != 0 { touch(.thread, thread) }
    // Requests that come later are dropped, even where there is no loop.
    if thread != 0 { touch(.loop, thread) }
    if thread != 0, loop >= 0 { touch(.loopOfThread, thread) }
    threads[Int(thread)].state = .ended
    if thread != 0 { touch(.awaited, thread, .read) }
    if threads[Int(thread)].isJoinable || thread == 0 {
      living -= 1
      // Whoever is the last ends the process, and with it the threads that nobody waits for.
      if isExplored { touch(.living, 0, endIsRaced ? .change : .read) }
    }
    wakeJoiner(of: thread)
    if living == 0 { finish(.returned) }
  }

  private mutating func wakeJoiner(of thread: Int32) {
    let joiner = threads[Int(thread)].joiner
    if joiner >= 0 { wake(joiner) }
  }

  /// `rl.exitThread(…)`: the thread ends from wherever it is.
  mutating func exitThread(_ value: HostValue, _ thread: Int32) -> Step {
    threads[Int(thread)].result = value
    threads[Int(thread)].isExiting = true
    while frames[Int(threads[Int(thread)].top)].kind != .thread {
      unwindOne(thread)
    }
    // Sources that a cancel callback which exits has left are taken out all the same.
    let frame = Int(threads[Int(thread)].top)
    frames[frame].step = min(frames[frame].step, 3)
    return advance(thread)
  }

  // MARK: Waits

  mutating func sleep(until date: Nanoseconds, _ wait: Wait, _ thread: Int32, _ position: Position) -> Step {
    tick &+= 1
    readsClock()
    guard date > now else { return .result(.none) }
    push(.wait, on: thread, fromHost: true)
    threads[Int(thread)].waitPosition = position
    block(thread, wait, until: date)
    return giveWay(thread) ? advance(thread) : .parked
  }

  mutating func yieldThread(_ thread: Int32) -> Step {
    tick &+= 1
    push(.wait, on: thread, fromHost: true)
    makeReady(thread)
    return giveWay(thread) ? advance(thread) : .parked
  }

  mutating func join(_ target: Int32, _ thread: Int32, _ position: Position) -> Step {
    let other = ThreadID(rawValue: target)
    if target == thread { return .result(.failure(.joinSelf)) }
    touch(.life, target)
    // Once this thread has nothing left to do but to wait for another, that one's end may be the end of all.
    touch(.living, 0, .read)
    // Who has to wait for the end needs a processor again.
    if hasFewCores { touch(.thread, target, .read) }
    guard threads[Int(target)].isJoinable else { return .result(.failure(.joinDetached(other))) }
    if threads[Int(target)].isJoined {
      return .result(.failure(.joinTwice(other, threads[Int(target)].joinPosition)))
    }
    tick &+= 1
    threads[Int(target)].isJoined = true
    threads[Int(target)].joinPosition = position
    threads[Int(target)].joiner = thread
    let frame = push(.wait, on: thread, fromHost: true)
    frames[frame].item = target
    threads[Int(thread)].wait = .join(target)
    threads[Int(thread)].waitPosition = position
    if threads[Int(target)].state == .ended { return advance(thread) }
    block(thread, .join(target))
    return giveWay(thread) ? advance(thread) : .parked
  }

  mutating func mainQueueSync(_ callback: HostValue, _ thread: Int32, _ position: Position) -> Step {
    guard thread != 0 else { return .result(.failure(.syncOnMainThread)) }
    queueOnMain(callback, waiter: thread, position)
    push(.wait, on: thread, fromHost: true)
    threads[Int(thread)].waitPosition = position
    block(thread, .mainQueue)
    return giveWay(thread) ? advance(thread) : .parked
  }

  /// A wait is over.
  mutating func stepWait(_ frame: Int, _ thread: Int32) -> Flow {
    let wait = threads[Int(thread)].wait
    if hasFewCores {
      if case .work = wait, worksOn(thread) { return .pause }
      if case .spin(let lock) = wait, spinsOn(thread, lock) { return .pause }
    }
    threads[Int(thread)].wait = .none
    switch wait {
    case .room:
      return endSend(frame, thread)
    case .join(let target):
      if isExplored { learns(thread, from: target) }
      post(.threadJoin, thread, subject: threads[Int(target)].name)
      result = .value(threads[Int(target)].result)
    case .perform(let target) where threads[Int(thread)].outcome < 0:
      result = .failure(.targetThreadExited(ThreadID(rawValue: target)))
    case .lock(let lock), .spin(let lock), .lockWhen(let lock, _), .readLock(let lock), .writeLock(let lock):
      return endLockWait(lock, frame, thread)
    case .semaphore(let semaphore):
      return endSemaphoreWait(semaphore, thread)
    case .none, .loop, .sleep, .work, .perform, .mainQueue, .condition, .retake, .once:
      result = .none
    }
    return .done
  }

  // MARK: Flags

  mutating func cancelThread(_ target: Int32, _ thread: Int32, _ position: Position) -> Step {
    tick &+= 1
    noteLost(.cancel, target, by: thread, at: position)
    post(.threadCancel, thread, subject: threads[Int(target)].name)
    threads[Int(target)].isCancelled = true
    return .result(.none)
  }

  mutating func detach(_ target: Int32) -> Step {
    let other = ThreadID(rawValue: target)
    touch(.life, target)
    guard threads[Int(target)].isJoinable else { return .result(.failure(.alreadyDetached(other))) }
    if threads[Int(target)].isJoined {
      return .result(.failure(.joinTwice(other, threads[Int(target)].joinPosition)))
    }
    tick &+= 1
    touch(.awaited, target)
    threads[Int(target)].isJoinable = false
    // From now on it matters who ends last, even if this one has ended.
    guard threads[Int(target)].state != .new else { return .result(.none) }
    touch(.living, 0)
    if threads[Int(target)].state != .ended {
      living -= 1
      if living == 0 { finish(.returned) }
    }
    return .result(.none)
  }

  func query(_ query: ThreadQuery, _ target: Int32) -> Bool {
    let record = threads[Int(target)]
    switch query {
    case .isCancelled: return record.isCancelled
    case .isFinished: return record.state == .ended
    case .isExecuting: return record.state != .new && record.state != .ended
    }
  }
}
