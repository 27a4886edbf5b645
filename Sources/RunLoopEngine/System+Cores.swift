/// A machine with fewer processors than threads (semantics 4: `rl.machine`).
///
/// Running a script takes no time, so only work (and waiting for a spin lock) holds a core: at most `cores` threads work
/// at once, and while all cores are taken no ready thread goes on. A free core takes the ready thread of the highest
/// priority, equal ones in turn. A thread whose quantum runs out goes to the end of the ready list with what is left of
/// its work. One whose work has ended goes on at once, and has its core until it waits or its turn is over: that is when
/// it works on after its quantum, or without a quantum when it works again.
extension System {
  /// `rl.work(s)` with limited cores.
  mutating func workOnCore(_ time: Nanoseconds, _ thread: Int32, _ position: Position) -> Step {
    tick &+= 1
    guard time > 0 else { return .result(.none) }
    push(.wait, on: thread, fromHost: true)
    threads[Int(thread)].waitPosition = position
    threads[Int(thread)].remainingWork = time
    if coreHolder == thread, threads[Int(thread)].quantumLeft <= 0 {
      threads[Int(thread)].wait = .work
      makeReady(thread)
    } else {
      takeCore(thread)
    }
    return giveWay(thread) ? advance(thread) : .parked
  }

  /// Works until the quantum or the work ends. Each quantum is a step: many of them must not go on uncounted.
  private mutating func takeCore(_ thread: Int32) {
    _ = countStep()
    touch(.cores, 0)
    if coreHolder == thread {
      coreHolder = -1
    } else {
      working += 1
      threads[Int(thread)].quantumLeft = configuration.quantum
    }
    let stretch = min(threads[Int(thread)].remainingWork, threads[Int(thread)].quantumLeft)
    threads[Int(thread)].remainingWork -= stretch
    if threads[Int(thread)].quantumLeft != .distantFuture { threads[Int(thread)].quantumLeft -= stretch }
    block(thread, .work, until: now.saturatingAdd(stretch))
  }

  /// A stretch of work has ended: the thread keeps its core when its work has.
  mutating func endStretch(_ thread: Int32) {
    touch(.cores, 0)
    if threads[Int(thread)].remainingWork > 0 {
      working -= 1
    } else {
      threads[Int(thread)].keepsCore = true
      if threads[Int(thread)].quantumLeft == .distantFuture { threads[Int(thread)].quantumLeft = 0 }
    }
    wake(thread, outcome: 0)
  }

  /// The thread's turn has come after a stretch of work; true when it has to work on.
  mutating func worksOn(_ thread: Int32) -> Bool {
    guard threads[Int(thread)].remainingWork > 0 else { return false }
    takeCore(thread)
    return true
  }

  // MARK: Spinning

  /// Asks for a spin lock again and again, which holds a core as work does.
  mutating func spinOnCore(_ thread: Int32, _ lock: Int32, until date: Nanoseconds) {
    threads[Int(thread)].spinsUntil = date
    touch(.cores, 0)
    working += 1
    _ = countStep()
    // When nothing can ever free the lock, no quantum ends: so that the run can.
    let isHopeless = date == .distantFuture && agenda.count == spinAlarms && spinnersKeepAllCores(thread)
    let stretch = isHopeless ? .distantFuture : min(date, now.saturatingAdd(configuration.quantum))
    block(thread, .spin(lock), until: stretch)
    if threads[Int(thread)].alarm >= 0 { spinAlarms += 1 }
  }

  /// Whether no ready thread will get a core from spinning ones: there is none, or as many threads as there are cores
  /// spin at a higher priority than all that do not (a priority inversion).
  private func spinnersKeepAllCores(_ thread: Int32) -> Bool {
    if firstReady < 0 { return true }
    var highest = -Double.infinity
    var each = firstReady
    while each >= 0 {
      if !isSpinning(each) { highest = max(highest, threads[Int(each)].priority) }
      each = threads[Int(each)].nextReady
    }
    var above = threads[Int(thread)].priority > highest ? 1 : 0
    for other in threads.indices where Int32(other) != thread && isSpinning(Int32(other)) {
      if threads[other].spinsUntil == .distantFuture, threads[other].priority > highest { above += 1 }
    }
    return above >= configuration.cores
  }

  private func isSpinning(_ thread: Int32) -> Bool {
    guard case .spin(let lock) = threads[Int(thread)].wait else { return false }
    let record = threads[Int(thread)]
    return (record.state == .blocked || record.state == .ready) && locks[Int(lock)].owner != thread
  }

  /// A spinning thread leaves its core: its quantum has ended, or its lock is free.
  mutating func leaveSpin(_ hadAlarm: Bool) {
    touch(.cores, 0)
    working -= 1
    if hadAlarm { spinAlarms -= 1 }
  }

  /// The turn of a thread that waits for a spin lock has come; true when it has to spin on.
  mutating func spinsOn(_ thread: Int32, _ lock: Int32) -> Bool {
    let hasLock = locks[Int(lock)].owner == thread
    threads[Int(thread)].outcome = hasLock ? 1 : 0
    if hasLock { return false }
    if threads[Int(thread)].spinsUntil <= now {
      leaveQueue(thread)
      return false
    }
    spinOnCore(thread, lock, until: threads[Int(thread)].spinsUntil)
    return true
  }

  // MARK: The choice

  /// The running thread has given way: it works, or leaves the core that it had kept.
  mutating func leaveKeptCore() {
    touch(.cores, 0)
    coreHolder = -1
    working -= 1
  }

  /// Takes the ready thread that goes on next: one that has kept its core, or the one that a free core takes; -1 when no
  /// core is free.
  mutating func takeReadyForCore() -> Int32 {
    touch(.cores, 0, .read)
    if readyTree.best.rank == .infinity {
      let thread = readyTree.best(after: 0)
      threads[Int(thread)].keepsCore = false
      coreHolder = thread
      takeReady(thread)
      return thread
    }
    guard working < configuration.cores else {
      touch(.cores, 0)
      return -1
    }
    let thread = chosenReady()
    takeReady(thread)
    return thread
  }

  // MARK: Description

  /// Describes the machine, once and before a thread is started.
  mutating func setMachine(_ change: (inout Configuration) -> Void) -> MachineRefusal? {
    if isMultiThreaded { return .threadWasStarted }
    if isMachineSet { return .wasSet }
    isMachineSet = true
    configure(change)
    return nil
  }
}

/// Why the machine cannot be described now.
public enum MachineRefusal: Sendable {
  case threadWasStarted, wasSet
}
