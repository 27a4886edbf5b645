/// Functions called under a guard: `rl.synchronized(object, fn)` and `rl.once(token, fn)`.

extension System {
  // MARK: synchronized

  /// Calls a function under a recursive lock, which an error in it gives back as well.
  mutating func synchronized(_ lock: Int32, _ function: HostValue, _ thread: Int32, _ position: Position) -> Step {
    if let failure = isTooDeep(function, thread) { return failure }
    tick &+= 1
    let index = Int(lock)
    let frame = push(.synchronized, on: thread, fromHost: true)
    frames[frame].item = lock
    frames[frame].value = function
    if isExplored { frames[frame].position = position }
    if locks[index].owner >= 0, locks[index].owner != thread {
      postWaiting(lock, .lock(lock), thread)
      queue(thread, for: lock, .lock(lock), until: .distantFuture, position)
      guard giveWay(thread) else { return .parked }
    } else {
      _ = self.lock(lock, thread, position)
    }
    return advance(thread)
  }

  mutating func stepSynchronized(_ frame: Int, _ thread: Int32) -> Flow {
    if frames[frame].step == 0 {
      frames[frame].step = 1
      threads[Int(thread)].wait = .none
      return call(frame)
    }
    if mustAskToRelease(frame, thread) { return .pause }
    tick &+= 1
    unlockOnce(Int(frames[frame].item), thread)
    result = .results(frames[frame].value)
    return .done
  }

  /// To give the lock back is a step of its own, as `unlock` is, and not one with the last that the function made.
  private mutating func mustAskToRelease(_ frame: Int, _ thread: Int32) -> Bool {
    let lock = LockID(rawValue: frames[frame].item)
    return isExplored && mustAsk(frame, thread, .unlock(lock))
  }

  private mutating func call(_ frame: Int) -> Flow {
    callout = Callout(kind: .guarded, callback: frames[frame].value)
    frames[frame].value = .none
    return .call
  }

  private mutating func isTooDeep(_ function: HostValue, _ thread: Int32) -> Step? {
    guard let failure = refusal(toCall: function, on: thread) else { return nil }
    release(function)
    return .result(.failure(failure))
  }

  // MARK: once

  /// Calls a function if none was called under the same token before; the others wait until it has ended.
  mutating func once(_ lock: Int32, _ function: HostValue, _ thread: Int32, _ position: Position) -> Step {
    let index = Int(lock)
    tick &+= 1
    if locks[index].isDone {
      release(function)
      return .result(.bool(false))
    }
    if locks[index].owner == thread {
      release(function)
      return .result(.failure(.onceInsideItself(LockID(rawValue: lock))))
    }
    if let failure = isTooDeep(function, thread) { return failure }
    let frame = push(.once, on: thread, fromHost: true)
    frames[frame].item = lock
    frames[frame].value = function
    if isExplored { frames[frame].position = position }
    if locks[index].owner < 0 {
      take(index, thread, position)
      return advance(thread)
    }
    postWaiting(lock, .once(lock), thread)
    queue(thread, for: lock, .once(lock), until: .distantFuture, position)
    return giveWay(thread) ? advance(thread) : .parked
  }

  mutating func stepOnce(_ frame: Int, _ thread: Int32) -> Flow {
    let index = Int(frames[frame].item)
    threads[Int(thread)].wait = .none
    if frames[frame].step == 0 {
      if locks[index].isDone {
        release(frames[frame].value)
        result = .bool(false)
        return .done
      }
      frames[frame].step = 1
      return call(frame)
    }
    if mustAskToRelease(frame, thread) { return .pause }
    tick &+= 1
    release(frames[frame].value)
    locks[index].isDone = true
    post(.unlock, thread, subject: locks[index].name)
    locks[index].owner = -1
    locks[index].depth = 0
    while locks[index].waiters.first >= 0 {
      let waiter = locks[index].waiters.first
      locks[index].waiters = removed(waiter, from: locks[index].waiters)
      wake(waiter)
    }
    result = .bool(true)
    return .done
  }

  /// An error left the function: nothing is left locked, and a `once` is not done.
  mutating func abandonGuard(_ frame: Int, _ thread: Int32) {
    guard frames[frame].step == 1 else { return release(frames[frame].value) }
    // The lock is given back with the step that the error came after, which cannot be told from it.
    if isExplored { exploration.dependsOnMore = true }
    unlockOnce(Int(frames[frame].item), thread)
  }
}
