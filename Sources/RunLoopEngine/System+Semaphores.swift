/// Counting semaphores: a signal goes straight to the longest waiter.

extension System {
  /// Makes a semaphore.
  mutating func makeSemaphore(name: NameID, value: Int64) -> SemaphoreID {
    noteMade(.semaphore, semaphores.count)
    semaphores.append(SemaphoreRecord(name: name, value: value))
    return SemaphoreID(semaphores.count - 1)
  }

  /// `wait(before)`: takes one of its value, or waits for one until the date; a past date tries.
  mutating func waitForSemaphore(
    _ semaphore: Int32, until date: Nanoseconds, _ thread: Int32, _ position: Position
  ) -> Step {
    let index = Int(semaphore)
    tick &+= 1
    post(.semaphoreWait, thread, subject: semaphores[index].name)
    if semaphores[index].value > 0 {
      semaphores[index].value -= 1
      return .result(.bool(true))
    }
    guard date > now else {
      postSemaphoreWake(index, thread, timedOut: true)
      return .result(.bool(false))
    }
    push(.wait, on: thread, fromHost: true)
    threads[Int(thread)].waitPosition = position
    semaphores[index].waiters = appended(thread, to: semaphores[index].waiters)
    block(thread, .semaphore(semaphore), until: date)
    return giveWay(thread) ? advance(thread) : .parked
  }

  /// `signal()`; true when it wakes a thread.
  mutating func signalSemaphore(_ semaphore: Int32, _ thread: Int32) -> Step {
    let index = Int(semaphore)
    tick &+= 1
    post(.semaphoreSignal, thread, subject: semaphores[index].name)
    let waiter = semaphores[index].waiters.first
    guard waiter >= 0 else {
      if semaphores[index].value < .max { semaphores[index].value += 1 }
      return .result(.bool(false))
    }
    semaphores[index].waiters = removed(waiter, from: semaphores[index].waiters)
    postSemaphoreWake(index, waiter, timedOut: false)
    wake(waiter)
    return .result(.bool(true))
  }

  /// A wait for a semaphore is over.
  mutating func endSemaphoreWait(_ semaphore: Int32, _ thread: Int32) -> Flow {
    let isTaken = threads[Int(thread)].outcome == 1
    if !isTaken { postSemaphoreWake(Int(semaphore), thread, timedOut: true) }
    result = .bool(isTaken)
    return .done
  }

  private mutating func postSemaphoreWake(_ index: Int, _ thread: Int32, timedOut: Bool) {
    guard traces(.lock) else { return }
    var event = event(.semaphoreWake, thread)
    event.subject = semaphores[index].name
    event.flags = timedOut ? 2 : 0
    events.append(event)
  }
}
