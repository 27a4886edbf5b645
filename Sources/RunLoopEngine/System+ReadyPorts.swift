/// The port set of a mode: which port is live, first come first served (semantics 2.2 step 9, 2.9).

extension System {
  /// Notes that a port has become ready in a mode, and wakes the thread that waits there.
  mutating func becameReady(_ entry: Int32, _ mode: Int32) {
    if !isListed(entry, mode) { list(entry, mode) }
    let loop = Int(modes[Int(mode)].loop)
    guard loops[loop].isWaiting, frames[Int(loops[loop].activation)].mode == mode else { return }
    wake(loops[loop].thread)
  }

  /// Notes that a port is no longer ready in a mode. Under `linux` its entry keeps its place in the list.
  mutating func becameUnready(_ entry: Int32, _ mode: Int32) {
    guard configuration.profile != .linux else { return }
    unlist(entry, mode)
  }

  mutating func isReady(_ entry: Int32, _ mode: Int32) -> Bool {
    switch entry {
    case ReadyEntry.timer: modes[Int(mode)].timerIsReady
    case ReadyEntry.wakeUp: loops[Int(modes[Int(mode)].loop)].wakePending
    case ReadyEntry.mainQueue: mainQueueIsReady
    default: !ports[Int(entry)].messages.isEmpty && ports[Int(entry)].modes.contains(mode)
    }
  }

  /// Takes the first ready port of a mode's set, with what it holds: `ReadyEntry.none` when there is none.
  mutating func takeReadyPort(_ frame: Int, _ mode: Int32) -> Int32 {
    while modes[Int(mode)].firstReady >= 0 {
      let entry = isExplored ? chosenEntry(mode) : cells[Int(modes[Int(mode)].firstReady)].a
      unlist(entry, mode)
      if isReady(entry, mode) {
        consume(entry, frame, mode)
        return entry
      }
    }
    return ReadyEntry.none
  }

  /// The entry that the wait takes next: the host chooses among those that became ready at the same nanosecond.
  private mutating func chosenEntry(_ mode: Int32) -> Int32 {
    var cell = modes[Int(mode)].firstReady
    let first = cells[Int(cell)]
    var candidates: [Int32] = []
    while cell >= 0 {
      if cells[Int(cell)].b == first.b, isReady(cells[Int(cell)].a, mode) { candidates.append(cells[Int(cell)].a) }
      cell = cells[Int(cell)].next
    }
    return candidates.isEmpty ? first.a : candidates[Int(chooseAlternative(of: Int32(candidates.count)))]
  }

  /// Takes what a live port holds: its message, its wake-up.
  mutating func consume(_ entry: Int32, _ frame: Int, _ mode: Int32) {
    switch entry {
    case ReadyEntry.timer:
      modes[Int(mode)].timerIsReady = false
      frames[frame].wakeReason = .timer
    case ReadyEntry.wakeUp:
      let loop = Int(modes[Int(mode)].loop)
      loops[loop].wakePending = false
      frames[frame].wakeReason = loops[loop].wakeReason
      if loops[loop].modes.count > 1 {
        for other in loops[loop].modes where other != mode { becameUnready(entry, other) }
      }
    case ReadyEntry.mainQueue:
      mainQueueIsReady = false
      frames[frame].wakeReason = .mainQueue
    default:
      frames[frame].wakeReason = .port
      frames[frame].message = takeMessage(entry, from: mode)
    }
  }

  /// The first ready port of the mode that is a source's (profile `guide`).
  mutating func firstReadySourcePort(_ mode: Int32) -> Int32? {
    var cell = modes[Int(mode)].firstReady
    while cell >= 0 {
      let entry = cells[Int(cell)].a
      if entry >= 0, isReady(entry, mode) { return entry }
      cell = cells[Int(cell)].next
    }
    return nil
  }

  // MARK: The list

  private mutating func isListed(_ entry: Int32, _ mode: Int32) -> Bool {
    var cell = modes[Int(mode)].firstReady
    while cell >= 0 {
      if cells[Int(cell)].a == entry { return true }
      cell = cells[Int(cell)].next
    }
    return false
  }

  /// Puts an entry at the end of a mode's ready list.
  mutating func list(_ entry: Int32, _ mode: Int32) {
    let index = Int(mode)
    // What became ready at the same moment may be taken in any order.
    readsClock()
    let cell = makeCell(entry, exploration.moments)
    if modes[index].lastReady >= 0 {
      cells[Int(modes[index].lastReady)].next = cell
    } else {
      modes[index].firstReady = cell
    }
    modes[index].lastReady = cell
  }

  /// Takes an entry out of a mode's ready list, wherever it stands.
  mutating func unlist(_ entry: Int32, _ mode: Int32) {
    let index = Int(mode)
    var previous: Int32 = -1
    var cell = modes[index].firstReady
    while cell >= 0, cells[Int(cell)].a != entry {
      previous = cell
      cell = cells[Int(cell)].next
    }
    guard cell >= 0 else { return }
    let next = cells[Int(cell)].next
    if previous >= 0 { cells[Int(previous)].next = next } else { modes[index].firstReady = next }
    if modes[index].lastReady == cell { modes[index].lastReady = previous }
    cells[Int(cell)].next = freeCell
    freeCell = cell
  }

  // MARK: The wake-up port

  /// Sends a wake-up to a loop; false when it is ignored: nothing runs, or the innermost activation is not waiting nor
  /// about to (CFRunLoopWakeUp).
  mutating func wakeLoop(_ loop: Int32, _ reason: WakeReason) -> Bool {
    let activation = loops[Int(loop)].activation
    guard activation >= 0, !frames[Int(activation)].ignoresWakeUps else { return false }
    guard !loops[Int(loop)].wakePending else { return true }
    loops[Int(loop)].wakePending = true
    loops[Int(loop)].wakeReason = reason
    for mode in loops[Int(loop)].modes { becameReady(ReadyEntry.wakeUp, mode) }
    return true
  }

  /// `loop:wakeUp()`.
  mutating func wakeUp(_ loop: Int32, _ thread: Int32) -> Step {
    tick &+= 1
    let sent = wakeLoop(loop, .wakeUp)
    if traces(.loop) {
      var event = event(.loopWakeUp, thread)
      event.subject = threads[Int(loops[Int(loop)].thread)].name
      event.flags = sent ? 0 : 1
      events.append(event)
    }
    return .result(.none)
  }

  /// `loop:stop()`: the innermost activation stops at its next look; without one it is lost (CFRunLoopStop).
  mutating func stop(_ loop: Int32, _ thread: Int32, _ position: Position) -> Step {
    tick &+= 1
    let activation = loops[Int(loop)].activation
    if traces(.loop) {
      var event = event(.loopStop, thread)
      event.subject = threads[Int(loops[Int(loop)].thread)].name
      event.flags = activation < 0 ? 1 : 0
      events.append(event)
    }
    if activation >= 0 {
      frames[Int(activation)].isStopped = true
      loops[Int(loop)].stopPosition = position
      _ = wakeLoop(loop, .stop)
    } else {
      noteLost(.stop, loop, by: thread, at: position)
    }
    return .result(.none)
  }
}
