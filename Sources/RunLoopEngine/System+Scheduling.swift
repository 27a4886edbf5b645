/// The scheduler and the clock (semantics 1 and 4).

extension System {
  /// Reads "now" as an operation does: later than every date that has come due.
  @inline(__always)
  mutating func readNow() -> Instant {
    tick &+= 1
    readsClock()
    return Instant(now, tick: tick)
  }

  @inline(__always)
  mutating func nextSequence() -> UInt64 {
    sequence &+= 1
    return sequence
  }

  /// Counts a step; false when that was one too many, and the run is over.
  @inline(__always)
  mutating func countStep() -> Bool {
    steps &+= 1
    if steps > configuration.maximumSteps {
      limitReached("steps", "more than \(configuration.maximumSteps) steps (--max-steps)")
      return false
    }
    return true
  }

  /// How many steps there may be between two moments at which the host can take out events.
  static var stepsWithoutHost: Int { 4096 }

  /// Whether it is time to go back to the host: a loop of timers without functions may never need it.
  @inline(__always)
  mutating func needsRest() -> Bool {
    guard steps >= nextRest else { return false }
    nextRest = steps &+ System.stepsWithoutHost
    return true
  }

  /// Puts a thread at the end of the ready list.
  mutating func makeReady(_ thread: Int32) {
    threads[Int(thread)].state = .ready
    if isExplored, park(thread) { return }
    if choosesReady { readyTree.append(thread, rank: rank(thread)) }
    threads[Int(thread)].nextReady = -1
    if lastReady >= 0 { threads[Int(lastReady)].nextReady = thread } else { firstReady = thread }
    lastReady = thread
  }

  /// Ends the wait of a blocked thread.
  mutating func wake(_ thread: Int32, outcome: Int8 = 1) {
    guard threads[Int(thread)].state == .blocked else { return }
    let alarm = threads[Int(thread)].alarm
    if hasFewCores, case .spin = threads[Int(thread)].wait { leaveSpin(alarm >= 0) }
    if alarm >= 0 {
      changesDates()
      agenda.cancel(alarm)
      threads[Int(thread)].alarm = -1
    }
    threads[Int(thread)].outcome = outcome
    makeReady(thread)
  }

  /// Marks a thread as blocked, until `wake` or the date.
  mutating func block(_ thread: Int32, _ wait: Wait, until date: Nanoseconds = .distantFuture) {
    threads[Int(thread)].state = .blocked
    threads[Int(thread)].wait = wait
    if date == .distantFuture { return }
    makesDate()
    threads[Int(thread)].alarm = agenda.schedule(.thread, thread, at: date)
  }

  /// Whether a look at shared state has to ask the scheduler first. It then is asked once, by a pause.
  @inline(__always)
  mutating func mustAsk(_ frame: Int, _ thread: Int32, _ operation: @autoclosure () -> Operation) -> Bool {
    guard isPreemptive else { return false }
    if frames[frame].isGranted {
      frames[frame].isGranted = false
      threads[Int(thread)].pending = nil
      return false
    }
    frames[frame].isGranted = true
    threads[Int(thread)].pending = operation()
    threads[Int(thread)].pendingPosition = frames[frame].position
    makeReady(thread)
    return true
  }

  /// Finds who runs next after `thread` gave way; true when it is `thread` itself.
  mutating func giveWay(_ thread: Int32) -> Bool {
    let next = pick()
    if next == thread { return true }
    upcoming = next
    return false
  }

  /// Takes the next thread from the ready list, moving the clock as far as needed; -1 when the run is over.
  mutating func pick() -> Int32 {
    if coreHolder >= 0 { leaveKeptCore() }
    while ending == nil {
      if firstReady >= 0 {
        guard hasFewCores else { return takeReady() }
        let thread = takeReadyForCore()
        if thread >= 0 { return thread }
      }
      if isExplored, stopsForChoice() { return -1 }
      if !moveClock() { break }
    }
    return -1
  }

  private mutating func takeReady() -> Int32 {
    let thread = choosesReady && firstReady != lastReady ? chosenReady() : firstReady
    takeReady(thread)
    return thread
  }

  /// Of those of the highest rank the first, or one by the seed.
  mutating func chosenReady() -> Int32 {
    let isRandom = isPreemptive && !isExplored
    return readyTree.best(after: isRandom ? random.below(Int(readyTree.best.count)) : 0)
  }

  /// Settles whether threads are chosen by more than when they became ready.
  mutating func chooseReady() {
    choosesReady = isPreemptive && !isExplored || hasFewCores
    readyTree = ReadyTree()
    guard choosesReady else { return }
    var thread = firstReady
    while thread >= 0 {
      readyTree.append(thread, rank: rank(thread))
      thread = threads[Int(thread)].nextReady
    }
  }

  /// Who goes on first: who has kept its core, then, with limited cores, those of the highest priority.
  mutating func rank(_ thread: Int32) -> Double {
    guard hasFewCores else { return 0 }
    return threads[Int(thread)].keepsCore ? .infinity : threads[Int(thread)].priority
  }

  /// Takes a thread out of the ready list: the first one, unless threads are chosen.
  @inline(__always)
  mutating func takeReady(_ thread: Int32) {
    var previous: Int32 = -1
    if choosesReady {
      previous = readyTree.neighbour(before: thread)
      readyTree.remove(thread)
    }
    let next = threads[Int(thread)].nextReady
    if previous >= 0 { threads[Int(previous)].nextReady = next } else { firstReady = next }
    if lastReady == thread { lastReady = previous }
    threads[Int(thread)].state = .running
  }

  /// Goes to the next due moment and delivers all that is due then; false when nothing ever is, or a bound was reached.
  mutating func moveClock() -> Bool {
    armNow()
    if firstReady >= 0, !hasFewCores || working < configuration.cores { return true }
    guard !agenda.isEmpty else {
      finish(.idle)
      return false
    }
    let first = agenda.first
    if first.nanoseconds > now {
      if first.nanoseconds > configuration.until {
        now = configuration.until
        finish(.until)
        return false
      }
      if first.nanoseconds > configuration.maximumTime {
        limitReached("time", "more than \(configuration.maximumTime.seconds) s of virtual time (--max-time)")
        return false
      }
      now = first.nanoseconds
      tick = 0
      progress &+= 1
    }
    let running = exploration.running
    if isExplored {
      clockMoves()
      exploration.running = -1
    }
    let deadlines = Agenda.isDeadline(first)
    repeat {
      deliver(agenda.first.slot)
    } while !agenda.isEmpty && agenda.first.nanoseconds <= now && Agenda.isDeadline(agenda.first) == deadlines
    exploration.running = running
    return true
  }

  private mutating func deliver(_ slot: Int32) {
    let (kind, target) = agenda.meaning(slot)
    agenda.cancel(slot)
    switch kind {
    case .thread:
      threads[Int(target)].alarm = -1
      timeRanOut(target)
    case .timerPort:
      modes[Int(target)].alarm = -1
      touch(.loop, loops[Int(modes[Int(target)].loop)].thread)
      timerPortIsReady(target)
    case .deadline:
      touch(.loop, loops[Int(target)].thread)
      // The entry belongs to the innermost activation that has this alarm.
      var frame = loops[Int(target)].activation
      while frame >= 0, frames[Int(frame)].alarm != slot { frame = frames[Int(frame)].previous }
      if frame >= 0 { frames[Int(frame)].alarm = -1 }
      _ = wakeLoop(target, .timeout)
    case .mainQueue:
      touch(.loop, 0)
      appendToMainQueue(target)
    }
  }

  /// The date of a blocked thread's wait has come.
  private mutating func timeRanOut(_ thread: Int32) {
    if hasFewCores {
      if case .work = threads[Int(thread)].wait { return endStretch(thread) }
      if case .spin = threads[Int(thread)].wait {
        // It stays in the lock's queue: whether it goes on is seen when it has a core again.
        leaveSpin(true)
        return makeReady(thread)
      }
    }
    leaveQueue(thread)
    wake(thread, outcome: 0)
  }

  /// Counts a pass or a run for `busyLoop`; false when it was one too many without progress.
  ///
  /// - Parameter position: where the script asked for the run.
  @inline(__always)
  mutating func countPass(_ thread: Int32, at position: Position) -> Bool {
    let index = Int(thread)
    if threads[index].progressSeen != progress {
      threads[index].progressSeen = progress
      threads[index].idlePasses = 0
      return true
    }
    threads[index].idlePasses += 1
    if threads[index].idlePasses < configuration.busyLoopLimit { return true }
    endInBusyLoop(thread, at: position)
    return false
  }

  /// Ends the run because a bound was reached.
  ///
  /// - Parameters:
  ///   - detail: the bound as one word, for the trace.
  ///   - message: for people; names the option that sets it.
  mutating func limitReached(_ detail: String, _ message: String) {
    if ending == nil { endMessage = message }
    finish(.limit, detail)
  }

  /// The simulated library ends the process.
  ///
  /// - Parameters:
  ///   - parts: what it was about, for the trace: the reason, one word, comes first.
  ///   - thread: the thread that does it.
  ///   - position: the script's place that led to it.
  ///   - message: for people: what it was.
  mutating func trap(
    _ parts: [(key: String, value: String)], _ thread: Int32, at position: Position, _ message: String
  ) {
    guard ending == nil else { return }
    trapParts = parts + [("thread", names[threads[Int(thread)].name])] + place(position)
    let prefix = names.text(of: position, before: ": ")
    endMessage = "\(prefix)a trap ended the process: \(message)"
    finish(.fault, "trap")
  }

  /// Notes that the run is over, and why. The first reason holds.
  mutating func finish(_ reason: EndReason, _ detail: String = "") {
    guard ending == nil else { return }
    ending = reason
    endDetail = detail
  }
}
