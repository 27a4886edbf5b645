/// Conditions, each with its own mutex (semantics 4): a wait is two steps, to release and queue, and to wake and retake.

extension System {
  /// How a wait for a condition ended; a frame keeps it in `live` while the mutex is being retaken.
  private static let timedOut: Int8 = 0
  private static let spurious: Int8 = 2

  /// `wait()`, `waitUntil(date)`.
  mutating func waitForCondition(
    _ lock: Int32, until date: Nanoseconds?, _ thread: Int32, _ position: Position
  ) -> Step {
    let index = Int(lock)
    guard locks[index].owner == thread else {
      return .result(.failure(.waitWithoutLock(LockID(rawValue: lock))))
    }
    tick &+= 1
    if date == .distantFuture, configuration.profile == .linux {
      trap(
        [("reason", "conditionWaitUntilDistantFuture"), ("condition", names[locks[index].name])], thread, at: position,
        "condition:waitUntil of the distant future")
      return .parked
    }
    if let date, date <= now {
      postConditionWake(lock, outcome: Self.timedOut, thread)
      return .result(.bool(false))
    }
    post(.conditionWait, thread, subject: locks[index].name)
    let frame = push(.conditionWait, on: thread, fromHost: true)
    frames[frame].item = lock
    frames[frame].poll = date != nil
    threads[Int(thread)].waitPosition = position
    locks[index].sleepers = appended(thread, to: locks[index].sleepers)
    block(thread, .condition(lock), until: date ?? .distantFuture)
    free(index)
    if configuration.spuriousWakeups { wakeSpuriously(lock, thread) }
    if endsSpuriously() { wakeSleeper(lock, thread, outcome: Self.spurious) }
    return giveWay(thread) ? advance(thread) : .parked
  }

  /// Every wait wakes up for nothing at once, but the one right after such a wait on the same condition.
  private mutating func wakeSpuriously(_ lock: Int32, _ thread: Int32) {
    guard threads[Int(thread)].spuriousOn != lock else {
      threads[Int(thread)].spuriousOn = -1
      return
    }
    threads[Int(thread)].spuriousOn = lock
    wakeSleeper(lock, thread, outcome: Self.spurious)
  }

  /// `signal()`, `broadcast()`: the longest waiter, or all of them, have to get the mutex again.
  mutating func signalCondition(_ lock: Int32, all: Bool, _ thread: Int32, _ position: Position) -> Step {
    let index = Int(lock)
    tick &+= 1
    if locks[index].sleepers.first < 0 { noteLost(all ? .broadcast : .signal, lock, by: thread, at: position) }
    if traces(.lock) {
      var event = event(.conditionSignal, thread)
      event.subject = locks[index].name
      event.flags = (locks[index].sleepers.first < 0 ? 1 : 0) | (all ? 2 : 0)
      events.append(event)
    }
    while locks[index].sleepers.first >= 0 {
      wakeSleeper(lock, all ? locks[index].sleepers.first : chosenSleeper(index), outcome: 1)
      if !all { break }
    }
    return .result(.none)
  }

  /// The sleeper that a signal wakes: the longest, unless the host chooses.
  private mutating func chosenSleeper(_ index: Int) -> Int32 {
    var sleeper = locks[index].sleepers.first
    guard isExplored, exploration.isUnfair else { return sleeper }
    var count: Int32 = 0
    var each = sleeper
    while each >= 0 {
      count += 1
      each = threads[Int(each)].nextWaiter
    }
    for _ in 0..<chooseAlternative(of: count) { sleeper = threads[Int(sleeper)].nextWaiter }
    return sleeper
  }

  mutating func wakeSleeper(_ lock: Int32, _ thread: Int32, outcome: Int8) {
    locks[Int(lock)].sleepers = removed(thread, from: locks[Int(lock)].sleepers)
    willRetake(lock, thread)
    wake(thread, outcome: outcome)
  }

  /// What a woken waiter does next, for who looks at pending operations.
  mutating func willRetake(_ lock: Int32, _ thread: Int32) {
    if isPreemptive { threads[Int(thread)].pending = .retakeLock(LockID(rawValue: lock)) }
  }

  /// A waiter was woken: it gets the mutex, or queues for it.
  mutating func stepConditionWait(_ frame: Int, _ thread: Int32) -> Flow {
    let lock = frames[frame].item
    let index = Int(lock)
    if frames[frame].step == 0 {
      frames[frame].step = 1
      frames[frame].live = Int32(threads[Int(thread)].outcome)
      threads[Int(thread)].pending = nil
      if locks[index].owner >= 0 {
        queue(thread, for: lock, .retake(lock), until: .distantFuture, threads[Int(thread)].waitPosition)
        return .pause
      }
      take(index, thread, threads[Int(thread)].waitPosition, silently: true)
      postConditionWake(frame, thread)
    }
    threads[Int(thread)].wait = .none
    result = frames[frame].poll ? .bool(frames[frame].live != Int32(Self.timedOut)) : .none
    return .done
  }

  /// `condition.wake`: a waiter has the mutex again.
  mutating func postConditionWake(_ frame: Int, _ thread: Int32) {
    postConditionWake(frames[frame].item, outcome: Int8(truncatingIfNeeded: frames[frame].live), thread)
  }

  private mutating func postConditionWake(_ lock: Int32, outcome: Int8, _ thread: Int32) {
    guard traces(.lock) else { return }
    var event = event(.conditionWake, thread)
    event.subject = locks[Int(lock)].name
    event.flags = outcome == Self.spurious ? 1 : outcome == Self.timedOut ? 2 : 0
    events.append(event)
  }
}
