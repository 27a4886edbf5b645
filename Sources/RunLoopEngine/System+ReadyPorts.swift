/// The port set of a mode: which port is live, first come first served (semantics 2.2 step 9, 2.9).

extension System {
  /// Notes that a port has become ready in a mode, and wakes the thread that waits there.
  mutating func becameReady(_ entry: Int32, _ mode: Int32) {
    if place(of: entry, mode) < 0 { list(entry, mode) }
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
    default: !ports[Int(entry)].messages.isEmpty && isIn(entry, mode)
    }
  }

  /// Takes the first ready port of a mode's set, with what it holds: `ReadyEntry.none` when there is none.
  mutating func takeReadyPort(_ frame: Int, _ mode: Int32) -> Int32 {
    while modes[Int(mode)].firstReady >= 0 {
      let entry = isExplored ? chosenEntry(mode) : readyPorts[Int(modes[Int(mode)].firstReady)].entry
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
    var place = modes[Int(mode)].firstReady
    let first = readyPorts[Int(place)]
    var candidates: [Int32] = []
    while place >= 0 {
      let port = readyPorts[Int(place)]
      if port.moment == first.moment, isReady(port.entry, mode) { candidates.append(port.entry) }
      place = port.next
    }
    return candidates.isEmpty ? first.entry : candidates[Int(chooseAlternative(of: Int32(candidates.count)))]
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
    var place = modes[Int(mode)].firstReady
    while place >= 0 {
      let entry = readyPorts[Int(place)].entry
      if entry >= 0, isReady(entry, mode) { return entry }
      place = readyPorts[Int(place)].next
    }
    return nil
  }

  // MARK: The list

  /// Puts an entry at the end of a mode's ready list, where it is not.
  mutating func list(_ entry: Int32, _ mode: Int32) {
    let index = Int(mode)
    // What became ready at the same moment may be taken in any order.
    readsClock()
    let last = modes[index].lastReady
    let place = makeReadyPort(ReadyPort(entry: entry, moment: exploration.moments, previous: last))
    if last >= 0 { readyPorts[Int(last)].next = place } else { modes[index].firstReady = place }
    modes[index].lastReady = place
    setPlace(of: entry, mode, place)
  }

  /// Takes an entry out of a mode's ready list, wherever it stands.
  mutating func unlist(_ entry: Int32, _ mode: Int32) {
    let index = Int(mode)
    let place = place(of: entry, mode)
    guard place >= 0 else { return }
    let (previous, next) = (readyPorts[Int(place)].previous, readyPorts[Int(place)].next)
    if previous >= 0 { readyPorts[Int(previous)].next = next } else { modes[index].firstReady = next }
    if next >= 0 { readyPorts[Int(next)].previous = previous } else { modes[index].lastReady = previous }
    setPlace(of: entry, mode, -1)
    readyPorts[Int(place)].next = freeReadyPort
    freeReadyPort = place
  }

  private mutating func makeReadyPort(_ record: ReadyPort) -> Int32 {
    let place = freeReadyPort
    if place >= 0 {
      freeReadyPort = readyPorts[Int(place)].next
      readyPorts[Int(place)] = record
      return place
    }
    readyPorts.append(record)
    return Int32(readyPorts.count - 1)
  }

  /// Where an entry stands in a mode's ready list; -1: nowhere.
  private mutating func place(of entry: Int32, _ mode: Int32) -> Int32 {
    switch entry {
    case ReadyEntry.timer: modes[Int(mode)].readyTimer
    case ReadyEntry.wakeUp: modes[Int(mode)].readyWakeUp
    case ReadyEntry.mainQueue: modes[Int(mode)].readyMainQueue
    default: ports[Int(entry)].seats.first { $0.mode == mode }?.ready ?? -1
    }
  }

  private mutating func setPlace(of entry: Int32, _ mode: Int32, _ place: Int32) {
    switch entry {
    case ReadyEntry.timer: modes[Int(mode)].readyTimer = place
    case ReadyEntry.wakeUp: modes[Int(mode)].readyWakeUp = place
    case ReadyEntry.mainQueue: modes[Int(mode)].readyMainQueue = place
    default:
      for seat in ports[Int(entry)].seats.indices where ports[Int(entry)].seats[seat].mode == mode {
        ports[Int(entry)].seats[seat].ready = place
      }
    }
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
