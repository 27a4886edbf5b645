/// For a host that carries out the operations itself, on a real run loop, and keeps the books here: names, objects and
/// what scripts read of them, events, the end.

/// What a source was made with.
package struct SourceParts: Sendable {
  package var name: NameID
  package var order: Int64
  package var perform, schedule, cancel: HostValue
}

/// What a timer was made with.
package struct TimerParts: Sendable {
  package var name: NameID
  package var order: Int64
  package var date: Nanoseconds
  /// Seconds; 0 for a one-shot.
  package var interval: Double
  package var period: Nanoseconds
  package var callback: HostValue
  /// The request that it stands for.
  package var request: PerformRequest?
}

/// What an observer was made with.
package struct ObserverParts: Sendable {
  package var name: NameID
  package var order: Int64
  package var activities: Activities
  package var repeats: Bool
  package var handler: HostValue
}

extension Callout {
  /// A callout of a host's own.
  package init(of kind: Kind, _ callback: HostValue, object: Int32 = -1) {
    self.init(kind: kind, callback: callback, object: object)
  }
}

extension Simulation {
  // MARK: What was made

  package func parts(of source: SourceID) -> SourceParts {
    let record = shared.pointee.sources[source.index]
    return SourceParts(
      name: record.name, order: record.order, perform: record.perform, schedule: record.schedule,
      cancel: record.cancel)
  }

  package func parts(of timer: TimerID) -> TimerParts {
    let record = shared.pointee.places.timers[timer.index]
    let details = shared.pointee.places.details[timer.index]
    return TimerParts(
      name: details.name, order: details.order, date: record.date, interval: record.interval, period: record.period,
      callback: record.callback,
      request: record.perform < 0 ? nil : shared.pointee.delayedPerforms[Int(record.perform)].request)
  }

  package func parts(of observer: ObserverID) -> ObserverParts {
    let record = shared.pointee.observers[observer.index]
    return ObserverParts(
      name: record.name, order: record.order, activities: record.activities, repeats: record.repeats,
      handler: record.handler)
  }

  /// The function that a port calls, its order, and how many messages it holds.
  package func parts(of port: PortID) -> (order: Int64, receive: HostValue, capacity: Int) {
    let record = shared.pointee.ports[port.index]
    return (record.order, record.receive, record.capacity)
  }

  /// What a thread runs, and with what.
  package func entry(of thread: ThreadID) -> Callout {
    let record = shared.pointee.threads[thread.index]
    var callout = Callout(kind: .entry, callback: record.entry, object: thread.rawValue)
    callout.value = record.arguments
    return callout
  }

  /// The number of a condition lock, the value of a semaphore.
  package func value(of lock: LockID) -> Int64 { shared.pointee.locks[lock.index].value }
  package func value(of semaphore: SemaphoreID) -> Int64 { shared.pointee.semaphores[semaphore.index].value }

  /// How many of each there are; their handles count from 0.
  package var timerCount: Int { shared.pointee.places.timers.count }
  package var sourceCount: Int { shared.pointee.sources.count }
  package var observerCount: Int { shared.pointee.observers.count }
  package var portCount: Int { shared.pointee.ports.count }

  /// The names in a list of modes.
  package func modeNames(in list: ModeList) -> [NameID] { shared.pointee.names(in: list) }

  /// The bytes of a text that was given with an operation.
  package func bytes(of text: TextRange) -> [UInt8] { Array(shared.pointee.textBytes(text)) }

  // MARK: What has happened

  /// Sets the clock; it never goes back.
  package mutating func setTime(_ time: Nanoseconds) { own.pointee.now = max(own.pointee.now, time) }

  /// Posts an event that happens now.
  package mutating func post(
    _ kind: EventKind, _ thread: ThreadID, subject: NameID = .none, mode: NameID = .none, other: NameID = .none,
    text: [UInt8] = [], change: (inout Event) -> Void = { _ in }
  ) {
    guard traces(kind.category) else { return }
    var event = own.pointee.event(kind, thread.rawValue)
    event.subject = subject
    event.mode = mode
    event.other = other
    let range = own.pointee.addText(text)
    event.textStart = range.start
    event.textLength = range.length
    change(&event)
    own.pointee.events.append(event)
  }

  /// A mode exists from now on, for `loop:modes()`.
  package mutating func noteMode(_ name: NameID, of loop: LoopID) { own.pointee.makeMode(loop.rawValue, name) }

  /// Notes what a timer says of itself.
  package mutating func note(_ timer: TimerID, isValid: Bool, date: Nanoseconds) {
    note(.timer(timer), isValid: isValid)
    own.pointee.places.timers[timer.index].date = date
  }

  /// Counts a fire, and the points of the grid that were passed over before it.
  package mutating func countFire(_ timer: TimerID, missed: Int64) -> Int {
    own.pointee.countFire(timer.index)
    own.pointee.places.details[timer.index].missed += missed
    return own.pointee.fireCount(timer)
  }

  /// Notes whether an item is valid.
  package mutating func note(_ item: Item, isValid: Bool) {
    switch item {
    case .source(let source): own.pointee.sources[source.index].isValid = isValid
    case .port(let port): own.pointee.ports[port.index].isValid = isValid
    case .timer(let timer):
      let record = own.pointee.places.timers[timer.index]
      if record.isValid, !isValid { own.pointee.leavePending(timer.rawValue, record.loop) }
      own.pointee.places.timers[timer.index].isValid = isValid
    case .observer(let observer): own.pointee.observers[observer.index].isValid = isValid
    }
  }

  /// The reply port of the message that a port is receiving; the one before is given back.
  package mutating func exchangeReplyPort(of port: PortID, _ reply: PortID) -> PortID {
    let before = replyPort(of: port)
    own.pointee.ports[port.index].replyPort = reply.rawValue
    return before
  }

  /// A perform after delay, as a timer of a loop that is in none of its modes here.
  package mutating func makeDelayedPerform(_ delay: Nanoseconds, _ request: PerformRequest, _ loop: LoopID) -> TimerID {
    let timer = own.pointee.makeDelayedPerform(delay, request)
    own.pointee.places.timers[timer.index].loop = loop.rawValue
    own.pointee.enterPending(timer.rawValue, loop.rawValue)
    return timer
  }

  // MARK: Threads

  /// A thread was started: its own pools lie under those of its callouts.
  package mutating func noteStart(of thread: ThreadID) {
    own.pointee.threads[thread.index].state = .running
    own.pointee.push(.thread, on: thread.rawValue, fromHost: true)
  }

  /// A thread has ended, and its loop with it.
  package mutating func noteEnd(of thread: ThreadID) {
    own.pointee.threads[thread.index].state = .ended
    let loop = own.pointee.threads[thread.index].loop
    if thread != .main, loop >= 0 { own.pointee.loops[Int(loop)].isGone = true }
  }

  /// A joinable thread was detached.
  package mutating func noteDetach(of thread: ThreadID) { own.pointee.threads[thread.index].isJoinable = false }

  /// Whether the loop's thread has ended.
  package func isGone(_ loop: LoopID) -> Bool { shared.pointee.loops[loop.index].isGone }
}
