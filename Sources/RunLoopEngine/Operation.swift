/// Everything a thread can do that another thread could notice (architecture, rule 5). Each is a scheduling point.
///
/// Scripts make them by `Simulation.perform(_:on:at:)`; the run loop makes its own as it goes (the last group). What an
/// operation touches, and how, is told by `access(in:)`.
public enum Operation: Sendable {
  // MARK: Threads
  /// Makes a new thread ready. Result: none. Fails: `alreadyStarted`.
  case startThread(ThreadID)
  /// Waits for a thread's end. Result: `value`, what its entry returned. Fails: `joinSelf`, `joinTwice`,
  /// `joinDetached`.
  case join(ThreadID)
  /// Makes a joinable thread detached. Result: none. Fails: `joinTwice` (somebody joins it), `alreadyDetached`.
  case detach(ThreadID)
  /// Sets the cancelled flag; wakes nobody. Result: none.
  case cancelThread(ThreadID)
  /// Blocks this thread until a date. Result: none. A past date returns at once.
  case sleep(until: Nanoseconds)
  /// This thread computes for so many nanoseconds and handles no events. Result: none.
  case work(Nanoseconds)
  /// Gives way to the other ready threads once. Result: none.
  case yield
  /// Ends the current thread with a result, from wherever it is. Never returns.
  case exitThread(HostValue)
  /// Reads a flag of a thread. Result: `bool`.
  case threadState(ThreadID, ThreadQuery)

  // MARK: Running a loop (of the current thread, otherwise fails: `notCurrentLoop`)
  /// Semantics 2.2. `seconds` in nanoseconds. Result: `run`.
  case runInMode(LoopID, mode: NameID, seconds: Nanoseconds, returnAfterSourceHandled: Bool)
  /// Until stopped or finished. Result: `run`.
  case run(LoopID)
  /// Result: `bool`, false for an empty mode.
  case runMode(LoopID, mode: NameID, before: Nanoseconds)
  /// Result: none.
  case runUntil(LoopID, Nanoseconds)
  /// Result: none.
  case runForever(LoopID)
  /// One pass that handles what is ready before `before`. Result: none.
  case acceptInput(LoopID, mode: NameID, before: Nanoseconds)
  /// A poll, then the date of the mode's next timer. Result: `date`, or none when the mode is empty.
  case limitDate(LoopID, mode: NameID)

  // MARK: Loops
  /// Result: none.
  case stop(LoopID)
  /// Result: none.
  case wakeUp(LoopID)
  /// Result: `bool`.
  case isWaiting(LoopID)
  /// Result: `name`, `none` when nothing runs.
  case currentMode(LoopID)
  /// Result: none.
  case addCommonMode(LoopID, NameID)
  /// Adds an item to a mode or to the common modes. Result: none.
  case add(Item, LoopID, mode: NameID)
  /// Result: none.
  case remove(Item, LoopID, mode: NameID)
  /// Result: `bool`.
  case contains(Item, LoopID, mode: NameID)
  /// Queues a block for modes. Result: none.
  case performBlock(LoopID, modes: ModeList, HostValue)
  /// The date of the mode's first timer. Result: `date`, or none without a timer.
  case nextTimerFireDate(LoopID, mode: NameID)

  // MARK: Sources and ports
  /// Result: none.
  case signal(SourceID)
  /// Result: `bool`.
  case isSignalled(SourceID)
  /// Takes an item out of all loops for good. Result: none.
  case invalidate(Item)
  /// Queues a message; waits for room until `before`. Result: `bool`, false when there was no room in time or the port
  /// is invalid.
  case send(PortID, message: HostValue, text: TextRange, before: Nanoseconds, replyTo: PortID)

  // MARK: Timers
  /// Fires by hand. Result: none.
  case fireTimer(TimerID)
  /// A past date means now. Result: none.
  case setNextFireDate(TimerID, Nanoseconds)
  /// Result: none.
  case setTolerance(TimerID, Nanoseconds)

  // MARK: Main queue and performs
  /// Result: none.
  case mainQueueAsync(HostValue)
  /// Result: none. Fails: `syncOnMainThread`.
  case mainQueueSync(HostValue)
  /// Result: none.
  case mainQueueAfter(Nanoseconds, HostValue)
  /// Asks another thread (or this one) to call a function. Result: none. Fails: `targetThreadExited` for a waiting
  /// request.
  case perform(ThreadID, PerformRequest)
  /// A one-shot timer of the current loop. Result: none.
  case performAfterDelay(Nanoseconds, PerformRequest)

  // MARK: The run loop's own looks at shared state
  /// Takes the signalled sources of a mode (step 6).
  case takeSources(LoopID)
  /// Takes the queued blocks of a loop (steps 5, 7, 11).
  case takeBlocks(LoopID)
  /// Looks for a live port, and waits when there is none (step 9).
  case takePort(LoopID)
  /// Serves the main queue (step 11).
  case takeMainQueue
}

/// What can be asked of a thread.
public enum ThreadQuery: Sendable {
  case isExecuting, isFinished, isCancelled
}

/// An item that belongs to modes.
public enum Item: Hashable, Sendable {
  case source(SourceID)
  case port(PortID)
  case timer(TimerID)
  case observer(ObserverID)
}

/// The modes of a block or a perform request: one name, or several.
public struct ModeList: Hashable, Sendable {
  /// The single mode, or `none` when there are several.
  var single: NameID
  /// Index of a list in the simulation's mode lists.
  var list: Int32
  /// One mode.
  public init(_ mode: NameID) {
    single = mode
    list = -1
  }
  init(list: Int32) {
    single = .none
    self.list = list
  }
}

/// A text in the simulation's text buffer, valid until its events are drained.
public struct TextRange: Sendable {
  public var start: Int32
  public var length: Int32
  /// No text.
  public static let empty = TextRange(start: 0, length: 0)
}

/// A request to call `callback(argument)` on a thread's run loop.
public struct PerformRequest: Sendable {
  public var name: NameID
  public var callback: HostValue
  public var argument: HostValue
  /// Whom `cancelPreviousPerforms` finds it by.
  public var target: HostValue
  public var modes: ModeList
  /// Whether the caller waits until it was carried out.
  public var wait: Bool
  public init(
    name: NameID, callback: HostValue, argument: HostValue = .none, target: HostValue = .none,
    modes: ModeList = ModeList(.commonModes), wait: Bool = false
  ) {
    self.name = name
    self.callback = callback
    self.argument = argument
    self.target = target
    self.modes = modes
    self.wait = wait
  }
}

/// What an operation gives back to the thread that made it.
public enum OperationResult: Sendable {
  case none
  case bool(Bool)
  case run(RunResult)
  case value(HostValue)
  case date(Nanoseconds)
  case name(NameID)
  /// The operation was refused and did nothing; the host raises it as an error in the script.
  case failure(OperationFailure)
}

/// Why an operation was refused.
public enum OperationFailure: Sendable {
  /// A run of a loop that belongs to another thread.
  case notCurrentLoop(LoopID)
  /// The thread was started before; where.
  case alreadyStarted(ThreadID, Position)
  case joinSelf
  /// The thread was joined, or is being joined; where.
  case joinTwice(ThreadID, Position)
  case joinDetached(ThreadID)
  case alreadyDetached(ThreadID)
  /// `mainQueue:sync` on the main thread.
  case syncOnMainThread
  /// The thread of a waiting perform ended first, or had ended.
  case targetThreadExited(ThreadID)
  /// More than `Configuration.maximumDepth` activations and callouts on one thread.
  case nestedTooDeep(Int)
}

/// What the host has to do next for a thread.
public enum Step: Sendable {
  /// Call a function on this thread, then tell `calloutReturned`.
  case call(Callout)
  /// The operation is done: give its result to the script.
  case result(OperationResult)
  /// The thread does not go on now: ask `nextTurn()`.
  case parked
}

/// A function of the script to be called on a thread, with what it is called with.
public struct Callout: Sendable {
  public enum Kind: UInt8, Sendable {
    /// The entry function of a thread. object: the thread; value: packed arguments or none. Its results are wanted.
    case entry
    /// object: the timer.
    case timer
    /// object: the source.
    case source
    /// object: the source; loop; mode.
    case schedule
    /// object: the source; loop; mode.
    case cancel
    /// object: the observer; activity; loop.
    case observer
    /// object: the port; value: the message, given up with the call.
    case port
    /// no arguments; the function is given up with the call.
    case block
    /// value: the argument.
    case perform
  }
  public var kind: Kind
  public var callback: HostValue
  public var object: Int32 = -1
  public var loop: LoopID = .none
  public var mode: NameID = .none
  public var activity: Activities = []
  public var value: HostValue = .none
}

/// Which thread runs next.
public enum Turn: Sendable {
  /// A new thread: make its coroutine, then as `resume`.
  case start(ThreadID)
  /// Go on with a thread: ask `continueThread(_:)` for its next step.
  case resume(ThreadID)
  /// The run is over.
  case ended(EndReason)
}

/// How an operation touches an object, for reduction and race detection.
public enum AccessMode: UInt8, Sendable {
  /// Conflicts with changes only.
  case read
  /// Conflicts with every access of the same object.
  case change
}
