/// Everything a thread can do that another thread could notice (architecture, rule 5). Each is a scheduling point.
///
/// Scripts make them by `Simulation.perform(_:on:at:)`; the run loop makes its own as it goes (the last group). What an
/// operation touches, and how, is told by `access(in:)`.
public enum Operation: Equatable, Sendable {
  // MARK: Threads
  /// Makes a new thread ready. Result: none. Fails: `alreadyStarted`.
  case startThread(ThreadID)
  /// The same for a new detached thread. Result: `thread`.
  case startDetached(ThreadID)
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

  // MARK: Message ports and names of ports
  /// Sends a message, and waits for its reply in a mode. Result: `results` of the reply, none when none was wanted,
  /// `refused`. Fails: `nestedTooDeep`.
  case request(MessageRequest)
  /// Result: `port`, none when no valid message port has the (interned) name.
  case findMessagePort(NameID)
  /// Gives a port an (interned) name. Result: `bool`, false when a valid port has it.
  case registerPort(NameID, PortID)
  /// Result: `port`, none when no valid port has the (interned) name.
  case lookUpPort(NameID)
  /// Result: `bool`, whether a port had the name.
  case unregisterPort(NameID)

  // MARK: Notifications
  /// Result: none.
  case addNotificationObserver(NotificationToken)
  /// Result: none.
  case removeNotificationObserver(NotificationToken)
  /// Calls the observers on this thread. Result: none. Fails: `nestedTooDeep`.
  case postNotification(NameID, NotificationSender, info: HostValue)

  // MARK: Objects and autorelease pools
  /// Result: none. Fails: `objectIsGone`.
  case retain(ObjectID)
  /// Result: none. Fails: `objectIsGone`, `overReleased`.
  case release(ObjectID)
  /// Result: none. Fails: `objectIsGone`, `overReleased`.
  case autorelease(ObjectID)
  /// Drains a pool and all above it. Result: none. Fails: `poolIsDrained`, `poolOfOtherThread`.
  case drain(PoolID)
  /// Calls a function within a pool of its own. Result: `results`. Fails: `nestedTooDeep`.
  case autoreleasePool(HostValue)

  // MARK: Settings of threads
  /// Result: none.
  case setPriority(ThreadID, Double)
  /// Bytes. Result: none. Fails: `alreadyStarted`.
  case setStackSize(ThreadID, Int64)

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

  // MARK: Locks
  /// Takes a lock, or waits for it. Result: none. Fails: `lockedTwice`.
  case lock(LockID)
  /// Takes a lock if it is free. Result: `bool`.
  case tryLock(LockID)
  /// Takes a lock, waiting for it until a date; a past date tries. Result: `bool`. Fails: `lockedTwice`.
  case lockBefore(LockID, Nanoseconds)
  /// Gives a lock back; of a read-write lock, for reading or writing. It goes to its longest waiter. Result: none.
  /// Fails: `notHolder`.
  case unlock(LockID)
  /// Result: none. Fails: `readWhileWriting`.
  case readLock(LockID)
  /// Result: none. Fails: `lockedTwice`, `writeWhileReading`.
  case writeLock(LockID)
  /// Result: `bool`.
  case tryReadLock(LockID)
  /// Result: `bool`.
  case tryWriteLock(LockID)
  /// Frees a lock, whoever holds it. Result: none.
  case breakLock(LockID)
  /// Takes a condition lock when it is free and has a value, waiting until a date. Result: `bool`. Fails: `lockedTwice`.
  case lockWhen(LockID, Int64, before: Nanoseconds)
  /// Gives a condition lock back with a new value. Result: none. Fails: `notHolder`.
  case unlockWith(LockID, Int64)
  /// The value of a condition lock. Result: `number`.
  case conditionValue(LockID)

  // MARK: Conditions and semaphores
  /// Gives the condition's mutex back and waits; ends with `retakeLock`. Result: none. Fails: `waitWithoutLock`.
  case waitForCondition(LockID)
  /// The same until a date; a past one returns at once. Result: `bool`, false when the date has passed. Fails:
  /// `waitWithoutLock`. Under `linux` the distant future is a trap.
  case waitForConditionUntil(LockID, Nanoseconds)
  /// Wakes the longest waiter of a condition, or all. Result: none.
  case signalCondition(LockID, all: Bool)
  /// Takes one of a semaphore's value, waiting until a date; a past date tries. Result: `bool`.
  case waitForSemaphore(SemaphoreID, before: Nanoseconds)
  /// Result: `bool`, whether it wakes a thread.
  case signalSemaphore(SemaphoreID)

  // MARK: Functions under a guard
  /// Calls a function under the recursive lock of an object. Result: `results`. Fails: `nestedTooDeep`.
  case synchronized(LockID, HostValue)
  /// Calls a function unless one has run; waits while one runs. Result: `bool`, whether it was called. Fails:
  /// `onceInsideItself`, `nestedTooDeep`.
  case once(LockID, HostValue)

  // MARK: Memory
  /// Result: `number` of the value read by `load`, of the old one by `exchange`, of the new one by `add`; `bool` by
  /// `compareExchange`; none by `store`.
  case atomic(AtomicID, AtomicAction)
  /// Orders this thread's accesses. Result: none.
  case memoryBarrier
  /// Result: `value`.
  case getShared(SharedID)
  /// Result: none.
  case setShared(SharedID, HostValue, text: TextRange)

  // MARK: What a host does for a script
  /// A look at something, or its making, before which another thread may go on. The host does it when the operation is
  /// done; only in the explored mode is it one. Result: none.
  case look(Subject)
  /// A thread ends, where somebody may look whether it has (`Configuration.Exploration.endsAreSteps`). The engine makes it.
  case endThread

  // MARK: The run loop's own looks at shared state
  /// Takes the signalled sources of a mode (step 6).
  case takeSources(LoopID)
  /// Takes the queued blocks of a loop (steps 5, 7, 11).
  case takeBlocks(LoopID)
  /// Looks for a live port, and waits when there is none (step 9).
  case takePort(LoopID)
  /// Serves the main queue (step 11).
  case takeMainQueue

  // MARK: The second step of a wait for a condition
  /// A woken waiter takes the condition's mutex.
  case retakeLock(LockID)
}

/// What can be asked of a thread.
public enum ThreadQuery: Equatable, Sendable {
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
public struct TextRange: Equatable, Sendable {
  public var start: Int32
  public var length: Int32
  /// No text.
  public static let empty = TextRange(start: 0, length: 0)
}

/// A request to call `callback(argument)` on a thread's run loop.
public struct PerformRequest: Equatable, Sendable {
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
