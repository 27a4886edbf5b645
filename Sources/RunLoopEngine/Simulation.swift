/// A run-loop system on a virtual clock, as one value: copying it is a snapshot.
///
/// A state machine that never calls out. Its host
/// 1. asks `nextTurn()` which thread runs,
/// 2. asks `continueThread(_:)` for that thread's next `Step`, and carries it out: calls a function of the script and
///    tells `calloutReturned`, or gives the script the result of its operation,
/// 3. makes the operations of the script by `perform(_:on:at:)`, each of which gives the next step,
/// 4. and, when a step says `parked`, goes back to 1.
///
/// What happened is in `events`, to be taken out in batches.
///
/// A copy costs nothing until one of the two is changed; then all of the state is copied, O(size).
public struct Simulation: @unchecked Sendable {
  /// Sendable although shared: whoever changes it has made sure that it is the only owner.
  private final class Box {
    let system: UnsafeMutablePointer<System>

    init(_ system: consuming System) {
      self.system = .allocate(capacity: 1)
      self.system.initialize(to: system)
    }

    deinit {
      system.deinitialize(count: 1)
      system.deallocate()
    }
  }

  private var box: Box

  /// The state, to be changed: it is copied first when another value has it too.
  @inline(__always)
  var own: UnsafeMutablePointer<System> {
    mutating get {
      let system = ownStill
      system.pointee.stillFrame = -1
      return system
    }
  }

  /// The state, to be changed in nothing that a quiet pass looks at.
  @inline(__always)
  private var ownStill: UnsafeMutablePointer<System> {
    mutating get {
      if _slowPath(!isKnownUniquelyReferenced(&box)) { becomeOwn() }
      return box.system
    }
  }

  @inline(never)
  private mutating func becomeOwn() { box = Box(System.clone(of: box.system)) }

  /// The state, to be read.
  @inline(__always)
  var shared: UnsafeMutablePointer<System> { box.system }

  /// A new system whose main thread will run `mainEntry`.
  public init(_ configuration: Configuration, mainEntry: HostValue) {
    box = Box(System(configuration, mainEntry: mainEntry))
  }

  /// Becomes a copy of another, at once and in the memory that it has.
  ///
  /// - Parameter other: of the same kind: explored, preemptive, or neither.
  /// - Complexity: O(size).
  public mutating func assign(_ other: Simulation) {
    if isKnownUniquelyReferenced(&box) {
      box.system.pointee.assign(other.box.system)
    } else {
      box = Box(System.clone(of: other.box.system))
    }
  }

  /// Takes the state of another, which gets that of this one.
  public mutating func swap(with other: inout Simulation) { Swift.swap(&box, &other.box) }

  // MARK: What the host drives

  /// Which thread runs next. The clock moves here when no thread can run.
  public mutating func nextTurn() -> Turn { own.pointee.nextTurn() }

  /// The next step of the thread whose turn it is.
  public mutating func continueThread(_ thread: ThreadID) -> Step { own.pointee.continueThread(thread) }

  /// Makes an operation of the script on the current thread.
  ///
  /// - Parameter position: where the script makes it, for messages.
  public mutating func perform(_ operation: Operation, on thread: ThreadID, at position: Position = .unknown) -> Step {
    own.pointee.perform(operation, on: thread, at: position)
  }

  /// The function of the last `Step.call` on this thread has returned.
  ///
  /// - Parameters:
  ///   - failed: it was left by an error. What the step says is done first; then the operation that it was called from is
  ///     given up, and a step `raise` says so.
  ///   - value: what it returned, where that was wanted.
  public mutating func calloutReturned(on thread: ThreadID, failed: Bool, value: HostValue) -> Step {
    own.pointee.calloutReturned(on: thread, failed: failed, value: value)
  }

  /// Before `calloutReturned`, after a callout that was not left by an error: the next fire of the same loop, when nobody
  /// can have noticed or changed anything since the last one. nil: `calloutReturned` is to be called.
  ///
  /// It only saves time.
  ///
  /// - Parameter count: what `holds` is asked about afterwards.
  public mutating func fireNextQuietly(on thread: ThreadID, moreEventsThan count: Int) -> QuietFire? {
    ownStill.pointee.fireNextQuietly(thread.rawValue, moreEventsThan: count)
  }

  // MARK: Ending it

  /// An error that nothing caught ended the process.
  ///
  /// - Parameter message: what was raised, for the trace.
  public mutating func scriptFailed(on thread: ThreadID, message: String = "") {
    own.pointee.scriptFailed(on: thread, message: message)
  }

  /// Ends the run, whatever goes on: a bound of the host was reached, or it was told to stop.
  ///
  /// - Parameter detail: more about it in one word, for the trace.
  public mutating func abort(_ reason: EndReason, detail: String) { own.pointee.abort(reason, detail: detail) }

  /// Why the run ended; nil while it goes on.
  public var ending: EndReason? { shared.pointee.ending }
  /// More about the end, one word, for the trace: `trap`, `error`, or the bound that was reached.
  public var endDetail: String { shared.pointee.endDetail }
  /// The bound that was reached, or the trap, in a sentence.
  public var endMessage: String { shared.pointee.endMessage }
  /// What a thread that does not wait keeps others from, and what to do about it: goes on with a semicolon, empty when
  /// nobody else is there.
  public mutating func advice(against thread: ThreadID) -> String { own.pointee.advice(against: thread.rawValue) }
  /// How many `rl.expect` failed.
  public var failedExpectations: Int { shared.pointee.failedExpectations }

  // MARK: Events

  /// What happened since `removeEvents()`, oldest first.
  public var events: [Event] { _read { yield shared.pointee.events } }
  /// The texts of `events`.
  public var text: [UInt8] { _read { yield shared.pointee.text } }
  /// All names.
  public var names: NameTable {
    _read { yield shared.pointee.names }
    _modify { yield &own.pointee.names }
  }
  /// Host values that nothing here refers to any more; the host may take and forget them.
  public var releasedValues: [HostValue] {
    _read { yield shared.pointee.releasedValues }
    _modify { yield &own.pointee.releasedValues }
  }

  /// Calls `body` with each of these, and forgets them.
  public mutating func drainReleasedValues(_ body: (HostValue) -> Void) {
    let system = own
    for value in system.pointee.releasedValues { body(value) }
    system.pointee.releasedValues.removeAll(keepingCapacity: true)
  }

  /// Whether there are values to release, or more events than so many or long texts: cheap, to be asked after every call.
  @inline(__always)
  public func needsHost(moreEventsThan count: Int) -> Bool {
    !shared.pointee.releasedValues.isEmpty || holds(moreEventsThan: count)
  }

  /// Whether there are more events than so many, or texts of more than 1 MiB.
  @inline(__always)
  public func holds(moreEventsThan count: Int) -> Bool { shared.pointee.holds(moreEventsThan: count) }

  /// Forgets the events that were rendered.
  public mutating func removeEvents() { ownStill.pointee.removeEvents() }

  /// Stores a text for an event that is posted next.
  public mutating func addText(_ utf8: UnsafeBufferPointer<UInt8>) -> TextRange { own.pointee.addText(utf8) }

  /// `rl.log(…)`.
  public mutating func log(_ utf8: UnsafeBufferPointer<UInt8>, on thread: ThreadID) {
    own.pointee.log(utf8, on: thread)
  }

  /// A failed `rl.expect`: the run ends as fault `expectation`, but goes on.
  public mutating func expectationFailed(
    _ utf8: UnsafeBufferPointer<UInt8>, on thread: ThreadID, at position: Position
  ) {
    own.pointee.expectationFailed(utf8, on: thread, at: position)
  }

  // MARK: Configuration

  public var configuration: Configuration { shared.pointee.configuration }
  /// Whether events of a category are made at all.
  public func traces(_ category: EventCategory) -> Bool { shared.pointee.traces(category) }
  /// Whether anything happened that depends on the configuration.
  public var hasBegun: Bool { shared.pointee.hasBegun }

  /// Changes the profile, the traced categories and the limits, before anything ran.
  public mutating func configure(_ change: (inout Configuration) -> Void) { own.pointee.configure(change) }

  // MARK: Making objects

  /// The next name of a kind: `timer1`, `timer2`, …
  public mutating func automaticName(_ kind: NameKind) -> NameID { own.pointee.automaticName(kind) }

  /// Makes a thread in state new.
  ///
  /// - Parameters:
  ///   - priority: how willingly a free core takes it, 0 to 1.
  ///   - stackSize: bytes; kept for those who ask.
  public mutating func makeThread(
    name: NameID, entry: HostValue, arguments: HostValue, joinable: Bool, priority: Double = 0.5,
    stackSize: Int64? = nil
  ) -> ThreadID {
    own.pointee.makeThread(
      name: name, entry: entry, arguments: arguments, joinable: joinable, priority: priority, stackSize: stackSize)
  }

  /// The run loop of a thread, made when it is asked for the first time on that thread.
  public mutating func currentLoop(of thread: ThreadID) -> LoopID { own.pointee.currentLoop(of: thread) }

  /// Makes a source of version 0.
  ///
  /// - Parameter position: where the script makes it, for messages; so below.
  public mutating func makeSource(
    name: NameID, order: Int64, perform: HostValue, schedule: HostValue, cancel: HostValue,
    at position: Position = .unknown
  ) -> SourceID {
    own.pointee.makeSource(
      name: name, order: order, perform: perform, schedule: schedule, cancel: cancel, at: position)
  }

  /// Makes a port.
  ///
  /// - Parameter capacity: messages its queue holds, 1 or more.
  public mutating func makePort(
    name: NameID, order: Int64, capacity: Int, receive: HostValue, at position: Position = .unknown
  ) -> PortID {
    own.pointee.makePort(name: name, order: order, capacity: capacity, receive: receive, at: position)
  }

  /// Makes a timer (CFRunLoopTimerCreate).
  ///
  /// - Parameters:
  ///   - fireDate: nanoseconds; a past date means now, and the grid begins there.
  ///   - interval: seconds; 0 and less with `repeats` is 0.1 ms under `apple` and `guide`, one-shot under `linux`.
  ///   - repeats: false: a one-shot, whatever the interval.
  ///   - tolerance: nanoseconds, capped at half the interval; nothing under `linux`.
  public mutating func makeTimer(
    name: NameID, fireDate: Nanoseconds, interval: Double, repeats: Bool, tolerance: Nanoseconds, order: Int64,
    fire: HostValue, at position: Position = .unknown
  ) -> TimerID {
    own.pointee.makeTimer(
      name: name, fireDate: fireDate, interval: interval, repeats: repeats, tolerance: tolerance, order: order,
      fire: fire, at: position)
  }

  /// Makes an observer.
  public mutating func makeObserver(
    name: NameID, activities: Activities, repeats: Bool, order: Int64, handler: HostValue,
    at position: Position = .unknown
  ) -> ObserverID {
    own.pointee.makeObserver(
      name: name, activities: activities, repeats: repeats, order: order, handler: handler, at: position)
  }

  /// A list of modes for blocks and performs.
  public mutating func makeModeList(_ names: [NameID]) -> ModeList { own.pointee.makeModeList(names) }

  // MARK: Reading

  /// Virtual time.
  public var now: Nanoseconds { shared.pointee.now }
  /// The run loop of a thread; `none` while nobody has asked for it there, and after the thread has ended.
  public func loop(of thread: ThreadID) -> LoopID { shared.pointee.loop(of: thread) }
  /// The thread that a loop belongs to.
  public func thread(of loop: LoopID) -> ThreadID { shared.pointee.thread(of: loop) }
  public func name(of thread: ThreadID) -> NameID { shared.pointee.name(of: thread) }
  public func name(of source: SourceID) -> NameID { shared.pointee.name(of: source) }
  public func name(of port: PortID) -> NameID { shared.pointee.name(of: port) }
  public func name(of timer: TimerID) -> NameID { shared.pointee.name(of: timer) }
  public func name(of observer: ObserverID) -> NameID { shared.pointee.name(of: observer) }
  /// Whether a thread has ended, and its coroutine can be thrown away. Asked after every turn: `mutating`, so that nobody
  /// counts references for it.
  public mutating func hasEnded(_ thread: ThreadID) -> Bool { shared.pointee.hasEnded(thread) }
  /// Whether a thread is ending itself by `rl.exitThread`.
  public func isExiting(_ thread: ThreadID) -> Bool { shared.pointee.threads[thread.index].isExiting }
  /// Whether this is the main thread.
  public func isMain(_ thread: ThreadID) -> Bool { thread == .main }
  /// Whether a thread can be joined.
  public func isJoinable(_ thread: ThreadID) -> Bool { shared.pointee.isJoinable(thread) }
  /// Whether an item was not invalidated.
  public func isValid(_ item: Item) -> Bool { shared.pointee.isValid(item) }
  /// The reply port of the message that a port is receiving.
  public func replyPort(of port: PortID) -> PortID { shared.pointee.replyPort(of: port) }
  /// The date of the next fire, 0 for an invalid timer. Before its first fire, the date it was made with.
  public func nextFireDate(_ timer: TimerID) -> Nanoseconds { shared.pointee.nextFireDate(timer) }
  /// Seconds.
  public func interval(_ timer: TimerID) -> Double { shared.pointee.interval(timer) }
  /// Whether a timer has an interval.
  public func doesRepeat(_ timer: TimerID) -> Bool { shared.pointee.doesRepeat(timer) }
  /// Nanoseconds.
  public func tolerance(_ timer: TimerID) -> Nanoseconds { shared.pointee.tolerance(timer) }
  /// How often a timer has fired.
  public func fireCount(_ timer: TimerID) -> Int { shared.pointee.fireCount(timer) }
  /// Points of its grid that were passed over, and coalesced into one fire.
  public func missedCount(_ timer: TimerID) -> Int { shared.pointee.missedCount(timer) }
  /// The names of a loop's modes, in order of creation.
  public func modes(of loop: LoopID) -> [NameID] { shared.pointee.modes(of: loop) }

  /// The after-delay requests of a thread's loop that have not been carried out, oldest first.
  ///
  /// - Complexity: O(timers).
  public func pendingDelayedPerforms(of thread: ThreadID) -> [(timer: TimerID, request: PerformRequest)] {
    shared.pointee.pendingDelayedPerforms(of: thread)
  }

  /// What every thread is doing and what keeps each loop alive, as text for people.
  public func describe() -> String { shared.pointee.describe() }
  /// Looks at what is left when the run is over. Once, before the next two are asked.
  public mutating func noteLeftAtEnd() { own.pointee.noteLeftAtEnd() }
  /// What never happened as its loop was not run, and why, a line each.
  public func describeUnrun() -> String { shared.pointee.describeUnrun() }
  /// One sentence on what was in loops that nobody ever ran; empty when there is no such thing.
  public func noteOnUnrun() -> String { shared.pointee.noteOnUnrun() }
  /// One thread, with its loop if it has one. Lines end in a line break.
  public func describe(_ thread: ThreadID) -> String { shared.pointee.describe(thread) }
  /// One loop: what it runs, and for each mode what is in it. Lines end in a line break.
  public func describe(_ loop: LoopID) -> String { shared.pointee.describe(loop) }
}
