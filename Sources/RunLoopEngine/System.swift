/// A run-loop system: the state behind a `Simulation`, and what it does.
///
/// Lies in one place and is never copied but by `clone()`; so the pools it is made of need not ask who else has them.
///
/// What the hot path calls is `mutating` even where it changes nothing: to borrow a system whole, the compiler would
/// move all of it.
struct System: ~Copyable {
  // MARK: State; internal so that the aspects in other files reach it

  var configuration: Configuration
  var names = NameTable()
  /// What happened since `removeEvents()`, oldest first.
  var events: [Event] = []
  /// The texts of `events`.
  var text: [UInt8] = []
  /// Host values that nothing here refers to any more; the host may take and forget them.
  var releasedValues: [HostValue] = []

  /// Virtual time.
  var now: Nanoseconds = 0
  var tick: UInt32 = 0
  var agenda = Agenda()
  /// Orders what has equal moments.
  var sequence: UInt64 = 0

  var threads = Pool<ThreadRecord>()
  /// At most one a thread.
  var pendingTexts: [PendingText] = []
  var loops = Pool<LoopRecord>()
  var modes = Pool<ModeRecord>()
  var sources = Pool<SourceRecord>()
  var ports = Pool<PortRecord>()
  var places = TimerPlaces()
  var observers = Pool<ObserverRecord>()
  var delayedPerforms = Pool<DelayedPerform>()
  var locks = Pool<LockRecord>()
  var semaphores = Pool<SemaphoreRecord>()
  var atomics = Pool<AtomicRecord>()
  var cellsOfMemory = Pool<SharedRecord>()

  // What lies in lists; `free…` is the first unused one.
  var frames = Pool<Frame>()
  var freeFrame: Int32 = -1
  var cells = Pool<Cell>()
  var freeCell: Int32 = -1
  var readyPorts = Pool<ReadyPort>()
  var freeReadyPort: Int32 = -1
  var blocks = Pool<BlockRecord>()
  var freeBlock: Int32 = -1
  var performs = Pool<PerformRecord>()
  var freePerform: Int32 = -1
  var heldMessages = Pool<Message>()
  var freeMessages: [Int32] = []
  var readers = Pool<ReaderRecord>()
  var freeReader: Int32 = -1
  var modeLists: [[NameID]] = []

  // Memory
  var objects = Pool<ObjectRecord>()
  var pools = Pool<PoolRecord>()
  var freePool: Int32 = -1

  // Notifications
  var notificationObservers = Pool<NotificationRecord>()
  /// Those that are to be told, in order of adding.
  var activeObservers: [Int32] = []
  var posts = Pool<PostRecord>()
  var freePost: Int32 = -1

  // Message ports
  var requests = Pool<RequestRecord>()
  var freeRequest: Int32 = -1
  var freeReplyPorts: [Int32] = []
  /// The latest message port of each name, and what the port server has under a name. They may be invalid since.
  var messagePorts: [NameID: PortID] = [:]
  var registeredPorts: [NameID: PortID] = [:]

  // The main queue
  var firstQueued: Int32 = -1
  /// The queue's port: it becomes ready with the first block of an empty queue, and whoever wakes up by it takes that.
  var mainQueueIsReady = false
  var lastQueued: Int32 = -1
  var isInMainQueueBlock = false

  // The scheduler
  var firstReady: Int32 = -1
  var lastReady: Int32 = -1
  /// Whether not simply the first of the ready list goes on. `readyTree` has the list's threads then.
  var choosesReady = false
  var readyTree = ReadyTree()
  /// The thread picked for the next turn, when the last one gave way.
  var upcoming: Int32 = -1
  var random: SplitMix64
  let isPreemptive: Bool
  let isExplored: Bool
  var exploration = Explored()
  /// Whether there are fewer processors than threads may want.
  var hasFewCores = false
  /// How many threads hold a core.
  var working = 0
  /// The running thread, when its work has ended and it still has the core.
  var coreHolder: Int32 = -1
  /// Agenda entries that end a spinning thread's quantum.
  var spinAlarms = 0
  var isMachineSet = false
  /// Whether a thread beside the main one was ever started.
  var isMultiThreaded = false
  /// Threads that keep the process alive: the main thread, and joinable ones that have started and not ended.
  var living = 0

  /// Up to when quiet passes may go: `until` and `maximumTime`, or never when others could come in between.
  var quietUntil = Nanoseconds.distantPast
  /// The activation whose last fire came by a quiet pass or out of a batch, as long as the host has asked for nothing
  /// since; -1: none.
  var stillFrame: Int32 = -1
  /// A mode whose timer port is still to be armed, before the clock moves.
  var unarmedMode: Int32 = -1
  /// Callouts and steps of the clock.
  var progress: UInt64 = 0
  var steps = 0
  /// The number of steps at which the host gets to see the events again, though no callout needs it.
  var nextRest = System.stepsWithoutHost
  /// How many `rl.expect` failed.
  var failedExpectations = 0
  /// Set once the run is over.
  var ending: EndReason?
  /// More about the end, one word, for the trace: `trap`, `error`, or the bound that was reached.
  var endDetail = ""
  /// The bound that was reached, or the trap, in a sentence.
  var endMessage = ""
  /// What the trap was that ended the process, for the trace.
  var trapParts: [(key: String, value: String)] = []
  var busyThread: Int32 = -1
  /// For people: calls that nobody noticed, and what never happened.
  var lostCalls: [LostCall] = []
  var unrun: [Unrun] = []
  var moreUnrun = 0
  /// The last run in the common modes, which are no mode.
  var commonRun: (thread: Int32, position: Position) = (-1, .unknown)
  /// Whether the final events were posted.
  var isClosed = false
  /// Whether anything happened that depends on the configuration.
  var hasBegun = false

  /// What a step hands back, beside its `Flow`.
  var callout = Callout(kind: .block, callback: .none)
  var result = OperationResult.none

  // MARK: Life

  /// A new system whose main thread will run `mainEntry`.
  init(_ configuration: Configuration, mainEntry: HostValue) {
    self.configuration = configuration
    isExplored = configuration.exploration != nil
    isPreemptive = configuration.seed != nil || isExplored
    exploration.timeIsFree = configuration.exploration?.timeIsFree ?? false
    exploration.isUnfair = configuration.exploration?.isUnfair ?? false
    exploration.spuriousLeft = configuration.exploration?.spuriousWakeups ?? 0
    random = SplitMix64(seed: configuration.seed ?? 0)
    for name in NameID.wellKnown { _ = names.intern(name) }
    threads.append(ThreadRecord(name: .mainThread, entry: mainEntry, arguments: .none, isJoinable: false))
    living = 1
    makeReady(0)
    setQuiet()
  }

  /// A system of the same kind, in which nothing is.
  init(like other: borrowing System) {
    configuration = other.configuration
    isPreemptive = other.isPreemptive
    isExplored = other.isExplored
    random = other.random
  }

  deinit {
    for mode in modes.indices { modes[mode].timers.free() }
  }

  /// Changes the profile, the traced categories and the limits, before anything ran.
  mutating func configure(_ change: (inout Configuration) -> Void) {
    change(&configuration)
    setQuiet()
  }

  private mutating func setQuiet() {
    hasFewCores = configuration.cores < .max
    chooseReady()
    let isNoticed =
      isPreemptive || hasFewCores || configuration.profile == .guide || !configuration.quietPasses
    quietUntil = isNoticed ? .distantPast : min(configuration.until, configuration.maximumTime)
  }

  /// Whether there are more events than so many, or texts of more than 1 MiB.
  @inline(__always)
  mutating func holds(moreEventsThan count: Int) -> Bool { events.count > count || text.count > 1 << 20 }

  /// Forgets the events that were rendered.
  mutating func removeEvents() {
    events.empty()
    text.empty()
  }

  // MARK: What the host drives

  /// Which thread runs next. The clock moves here when no thread can run.
  mutating func nextTurn() -> Turn {
    let thread = upcoming >= 0 ? upcoming : pick()
    upcoming = -1
    guard thread >= 0 else {
      close()
      return .ended(ending ?? .idle)
    }
    if !threads[Int(thread)].hasCoroutine {
      threads[Int(thread)].hasCoroutine = true
      return .start(ThreadID(rawValue: thread))
    }
    return .resume(ThreadID(rawValue: thread))
  }

  /// The next step of the thread whose turn it is.
  mutating func continueThread(_ thread: ThreadID) -> Step {
    if threads[thread.index].top < 0 { beginThread(thread.rawValue) }
    return advance(thread.rawValue)
  }

  /// Makes an operation of the script on the current thread.
  ///
  /// - Parameters:
  ///   - position: where the script makes it, for messages.
  mutating func perform(_ operation: Operation, on thread: ThreadID, at position: Position = .unknown) -> Step {
    hasBegun = true
    guard countStep() else { return .parked }
    if isPreemptive, !isExplored || isVisible(operation, thread.rawValue) {
      push(.operation, on: thread.rawValue, fromHost: true)
      threads[thread.index].pending = operation
      keepText(of: operation, thread.rawValue)
      threads[thread.index].pendingPosition = position
      makeReady(thread.rawValue)
      return giveWay(thread.rawValue) ? advance(thread.rawValue) : .parked
    }
    return execute(operation, thread.rawValue, position)
  }

  /// The function of the last `Step.call` on this thread has returned.
  ///
  /// - Parameters:
  ///   - failed: it was left by an error. What the step says is done first; then the operation that it was called from is
  ///     given up, and a step `raise` says so.
  ///   - value: what it returned, where that was wanted.
  mutating func calloutReturned(on thread: ThreadID, failed: Bool, value: HostValue) -> Step {
    if failed { return leaveCallout(thread.rawValue) }
    if value.rawValue != 0 { keepResults(value, thread.rawValue) }
    if threads[thread.index].pool >= 0 { drainAfterCallout(thread.rawValue) }
    return advance(thread.rawValue)
  }

  /// The results of a function that were wanted.
  @inline(never)
  private mutating func keepResults(_ value: HostValue, _ thread: Int32) {
    let frame = Int(threads[Int(thread)].top)
    if frames[frame].kind == .thread { threads[Int(thread)].result = value } else { frames[frame].value = value }
  }

  // MARK: Frames

  /// Runs the frames of a thread until the host has something to do.
  mutating func advance(_ thread: Int32) -> Step {
    while true {
      let frame = Int(threads[Int(thread)].top)
      let flow: Flow
      switch frames[frame].kind {
      case .activation:
        touch(.loop, thread)
        flow = stepActivation(frame, thread)
      case .notification: flow = stepNotification(frame, thread)
      case .blocks: flow = stepBlocks(frame, thread)
      case .performs: flow = stepPerforms(frame, thread)
      case .mainQueue: flow = stepMainQueue(frame, thread)
      case .receive: flow = stepReceive(frame, thread)
      case .foundationRun: flow = stepFoundationRun(frame, thread)
      case .scheduling: flow = stepScheduling(frame, thread)
      case .cancelling: flow = stepCancelling(frame, thread)
      case .handFire: flow = stepHandFire(frame, thread)
      case .inlinePerform: flow = stepInlinePerform(frame, thread)
      case .synchronized: flow = stepSynchronized(frame, thread)
      case .once: flow = stepOnce(frame, thread)
      case .conditionWait: flow = stepConditionWait(frame, thread)
      case .draining: flow = stepDraining(frame, thread)
      case .poolScope: flow = stepPoolScope(frame, thread)
      case .posting: flow = stepPosting(frame, thread)
      case .request: flow = stepRequest(frame, thread)
      case .wait: flow = stepWait(frame, thread)
      case .thread: flow = stepThread(frame, thread)
      case .operation:
        pop(thread)
        guard let operation = threads[Int(thread)].pending else { defect("no operation is pending") }
        threads[Int(thread)].pending = nil
        return execute(withPendingText(operation, thread), thread, threads[Int(thread)].pendingPosition)
      }
      switch flow {
      case .again:
        if needsRest() { return .unfinished }
      case .call:
        progress &+= 1
        guard countStep() else { return .parked }
        return .call(callout)
      case .pause:
        guard giveWay(thread) else { return .parked }
        if needsRest() { return .unfinished }
      case .done:
        let fromHost = frames[frame].fromHost
        pop(thread)
        if fromHost { return .result(result) }
      case .raise:
        unwind(thread)
        return .raise
      }
    }
  }
}
