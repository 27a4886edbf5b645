/// Making objects, and reading what no other thread can change under the reader's eyes.

extension System {
  // MARK: Making

  /// Makes a thread in state new.
  mutating func makeThread(
    name: NameID, entry: HostValue, arguments: HostValue, joinable: Bool, priority: Double, stackSize: Int64?
  ) -> ThreadID {
    noteMade(.thread, threads.count)
    var record = ThreadRecord(name: name, entry: entry, arguments: arguments, isJoinable: joinable)
    record.priority = priority
    record.stackSize = stackSize
    if isExplored { record.maker = max(0, exploration.running) }
    threads.append(record)
    return ThreadID(threads.count - 1)
  }

  /// The run loop of a thread, made when it is asked for the first time on that thread.
  mutating func currentLoop(of thread: ThreadID) -> LoopID {
    let present = threads[thread.index].loop
    if present >= 0 { return LoopID(rawValue: present) }
    touch(.loopOfThread, thread.rawValue)
    // A request that comes before finds no loop, one that comes later does.
    touch(.loop, thread.rawValue)
    let loop = Int32(loops.count)
    loops.append(LoopRecord(thread: thread.rawValue))
    loops[Int(loop)].wakeCounts = Array(repeating: 0, count: LoopRecord.wakesForNothing + 1)
    threads[thread.index].loop = loop
    makeMode(loop, .defaultMode)
    return LoopID(rawValue: loop)
  }

  /// Makes a source of version 0.
  mutating func makeSource(
    name: NameID, order: Int64, perform: HostValue, schedule: HostValue, cancel: HostValue, at position: Position
  ) -> SourceID {
    var record = SourceRecord(name: name, order: order, perform: perform, schedule: schedule, cancel: cancel)
    record.origin.position = position
    sources.append(record)
    return SourceID(sources.count - 1)
  }

  /// Makes a port.
  ///
  /// - Parameter capacity: messages its queue holds, 1 or more.
  mutating func makePort(
    name: NameID, order: Int64, capacity: Int, receive: HostValue, at position: Position = .unknown
  ) -> PortID {
    var record = PortRecord(name: name, order: order, capacity: max(1, capacity), receive: receive)
    record.origin.position = position
    ports.append(record)
    return PortID(ports.count - 1)
  }

  /// Makes a timer (CFRunLoopTimerCreate).
  ///
  /// - Parameters:
  ///   - fireDate: nanoseconds; a past date means now, and the grid begins there.
  ///   - interval: seconds; 0 and less with `repeats` is 0.1 ms under `apple` and `guide`, one-shot under `linux`.
  ///   - repeats: false: a one-shot, whatever the interval.
  ///   - tolerance: nanoseconds, capped at half the interval; nothing under `linux`.
  mutating func makeTimer(
    name: NameID, fireDate: Nanoseconds, interval: Double, repeats: Bool, tolerance: Nanoseconds, order: Int64,
    fire: HostValue, at position: Position = .unknown
  ) -> TimerID {
    var interval = interval
    if !repeats || interval < 0 { interval = 0 }
    if repeats, interval == 0, configuration.profile != .linux { interval = 0.0001 }
    // Dates are seen at the moment of making: what is past then, is now.
    let present = readNow()
    let fireInstant = fireDate <= now ? present : Instant(fireDate)
    // An interval below one nanosecond is none in the library's clock units.
    let period = interval >= 1e-9 ? Nanoseconds(seconds: min(interval, 504_911_232)) : 0
    places.append(
      TimerRecord(callback: fire, fire: fireInstant, date: fireDate, interval: interval, period: period),
      TimerDetails(name: name, order: order, origin: Origin(position: position)))
    let timer = TimerID(places.timers.count - 1)
    if tolerance > 0 { setTolerance(timer.rawValue, tolerance) }
    return timer
  }

  /// Makes an observer.
  mutating func makeObserver(
    name: NameID, activities: Activities, repeats: Bool, order: Int64, handler: HostValue, at position: Position
  ) -> ObserverID {
    var record = ObserverRecord(name: name, activities: activities, repeats: repeats, order: order, handler: handler)
    record.origin.position = position
    observers.append(record)
    return ObserverID(observers.count - 1)
  }

  /// A list of modes for blocks and performs.
  mutating func makeModeList(_ names: [NameID]) -> ModeList {
    if names.count == 1 { return ModeList(names[0]) }
    if let known = modeLists.firstIndex(of: names) { return ModeList(list: Int32(known)) }
    modeLists.append(names)
    return ModeList(list: Int32(modeLists.count - 1))
  }

  // MARK: Reading

  /// The run loop of a thread; `none` while nobody has asked for it there, and after the thread has ended.
  func loop(of thread: ThreadID) -> LoopID {
    let loop = threads[thread.index].loop
    return loop >= 0 && loops[Int(loop)].isGone ? .none : LoopID(rawValue: loop)
  }

  /// The thread that a loop belongs to.
  func thread(of loop: LoopID) -> ThreadID { ThreadID(rawValue: loops[loop.index].thread) }
  func name(of thread: ThreadID) -> NameID { threads[thread.index].name }
  func name(of source: SourceID) -> NameID { sources[source.index].name }
  func name(of port: PortID) -> NameID { ports[port.index].name }
  func name(of timer: TimerID) -> NameID { places.details[timer.index].name }
  func name(of observer: ObserverID) -> NameID { observers[observer.index].name }
  func name(of object: ObjectID) -> NameID { objects[object.index].name }
  func name(of pool: PoolID) -> NameID { pools[pool.index].name }
  /// Whether a thread has ended, and its coroutine can be thrown away.
  func hasEnded(_ thread: ThreadID) -> Bool { threads[thread.index].state == .ended }
  /// Whether this is the main thread.
  func isMain(_ thread: ThreadID) -> Bool { thread == .main }
  func isJoinable(_ thread: ThreadID) -> Bool { threads[thread.index].isJoinable }

  /// Whether an item was not invalidated.
  func isValid(_ item: Item) -> Bool {
    switch item {
    case .source(let source): sources[source.index].isValid
    case .port(let port): ports[port.index].isValid
    case .timer(let timer): places.timers[timer.index].isValid
    case .observer(let observer): observers[observer.index].isValid
    }
  }

  /// The reply port of the message that a port is receiving.
  func replyPort(of port: PortID) -> PortID { PortID(rawValue: ports[port.index].replyPort) }

  /// The date of the next fire, 0 for an invalid timer. Before its first fire, the date it was made with.
  func nextFireDate(_ timer: TimerID) -> Nanoseconds {
    places.timers[timer.index].isValid ? places.timers[timer.index].date : 0
  }
  /// Seconds.
  func interval(_ timer: TimerID) -> Double { places.timers[timer.index].interval }
  func doesRepeat(_ timer: TimerID) -> Bool { places.timers[timer.index].interval > 0 }
  /// Nanoseconds.
  func tolerance(_ timer: TimerID) -> Nanoseconds { places.details[timer.index].tolerance }
  func fireCount(_ timer: TimerID) -> Int {
    Int(places.timers[timer.index].fireCount) + places.details[timer.index].moreFires
  }

  @inline(__always)
  mutating func countFire(_ index: Int) {
    places.timers[index].fireCount &+= 1
    if _slowPath(places.timers[index].fireCount == 0) { places.details[index].moreFires += 1 << 32 }
  }
  /// Points of its grid that were passed over, and coalesced into one fire.
  func missedCount(_ timer: TimerID) -> Int { Int(places.details[timer.index].missed) }

  /// The names of a loop's modes, in order of creation.
  func modes(of loop: LoopID) -> [NameID] { loops[loop.index].modes.map { modes[Int($0)].name } }
}
