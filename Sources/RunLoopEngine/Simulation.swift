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
public struct Simulation: Sendable {
  // MARK: State; internal so that the aspects in other files reach it

  public internal(set) var configuration: Configuration
  public var names = NameTable()
  /// What happened since `removeEvents()`, oldest first.
  public internal(set) var events: [Event] = []
  /// The texts of `events`.
  public internal(set) var text: [UInt8] = []
  /// Host values that nothing here refers to any more; the host may take and forget them.
  public var releasedValues: [HostValue] = []

  /// Virtual time.
  public internal(set) var now: Nanoseconds = 0
  var tick: UInt32 = 0
  var agenda = Agenda()
  /// Orders what has equal moments.
  var sequence: UInt64 = 0

  var threads: [ThreadRecord] = []
  var loops: [LoopRecord] = []
  var modes: [ModeRecord] = []
  var sources: [SourceRecord] = []
  var ports: [PortRecord] = []
  var places = TimerPlaces()
  var observers: [ObserverRecord] = []
  var delayedPerforms: [PerformRequest] = []

  var frames: [Frame] = []
  var freeFrame: Int32 = -1
  var cells: [Cell] = []
  var freeCell: Int32 = -1
  var blocks: [BlockRecord] = []
  var freeBlock: Int32 = -1
  var performs: [PerformRecord] = []
  var freePerform: Int32 = -1
  var heldMessages: [Message] = []
  var freeMessages: [Int32] = []
  var modeLists: [[NameID]] = []

  // The main queue
  var firstQueued: Int32 = -1
  var lastQueued: Int32 = -1
  var isInMainQueueBlock = false

  // The scheduler
  var firstReady: Int32 = -1
  var lastReady: Int32 = -1
  /// The thread picked for the next turn, when the last one gave way.
  var upcoming: Int32 = -1
  /// The thread whose turn it is.
  var running: Int32 = -1
  var random: SplitMix64
  let isPreemptive: Bool
  /// Threads that keep the process alive: the main thread, and joinable ones that have started and not ended.
  var living = 0

  /// Callouts and steps of the clock.
  var progress: UInt64 = 0
  var steps = 0
  /// How many `rl.expect` failed.
  public internal(set) var failedExpectations = 0
  /// Set once the run is over.
  public internal(set) var ending: EndReason?
  /// More about the end, one word, for the trace: `trap`, `error`, or the bound that was reached.
  public internal(set) var endDetail = ""
  /// The bound that was reached, in a sentence.
  public internal(set) var endMessage = ""
  var busyThread: Int32 = -1
  /// Whether the final events were posted.
  var isClosed = false
  /// Whether anything happened that depends on the configuration.
  public internal(set) var hasBegun = false

  /// What a step hands back, beside its `Flow`.
  var callout = Callout(kind: .block, callback: .none)
  var result = OperationResult.none

  // MARK: Life

  /// A new system whose main thread will run `mainEntry`.
  public init(_ configuration: Configuration, mainEntry: HostValue) {
    self.configuration = configuration
    isPreemptive = configuration.seed != nil
    random = SplitMix64(seed: configuration.seed ?? 0)
    for name in NameID.wellKnown { _ = names.intern(name.utf8) }
    threads.append(ThreadRecord(name: .mainThread, entry: mainEntry, arguments: .none, isJoinable: false))
    living = 1
    makeReady(0)
  }

  /// Changes the profile, the traced categories and the limits, before anything ran.
  public mutating func configure(_ change: (inout Configuration) -> Void) {
    change(&configuration)
  }

  /// Forgets the events that were rendered.
  public mutating func removeEvents() {
    events.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
  }

  // MARK: What the host drives

  /// Which thread runs next. The clock moves here when no thread can run.
  public mutating func nextTurn() -> Turn {
    let thread = upcoming >= 0 ? upcoming : pick()
    upcoming = -1
    guard thread >= 0 else {
      close()
      return .ended(ending ?? .idle)
    }
    running = thread
    if !threads[Int(thread)].hasCoroutine {
      threads[Int(thread)].hasCoroutine = true
      return .start(ThreadID(rawValue: thread))
    }
    return .resume(ThreadID(rawValue: thread))
  }

  /// The next step of the thread whose turn it is.
  public mutating func continueThread(_ thread: ThreadID) -> Step {
    if threads[thread.index].top < 0 { beginThread(thread.rawValue) }
    return advance(thread.rawValue)
  }

  /// Makes an operation of the script on the current thread.
  ///
  /// - Parameters:
  ///   - position: where the script makes it, for messages.
  public mutating func perform(_ operation: Operation, on thread: ThreadID, at position: Position = .unknown) -> Step {
    hasBegun = true
    guard countStep() else { return .parked }
    if isPreemptive {
      push(.operation, on: thread.rawValue, fromHost: true)
      threads[thread.index].pending = operation
      threads[thread.index].pendingPosition = position
      makeReady(thread.rawValue)
      return giveWay(thread.rawValue) ? advance(thread.rawValue) : .parked
    }
    return execute(operation, thread.rawValue, position)
  }

  /// The function of the last `Step.call` on this thread has returned.
  ///
  /// - Parameters:
  ///   - failed: it was left by an error; the operation that it was called from is given up, and the host raises the
  ///     error again from there. The step is meaningless then.
  ///   - value: what it returned, where that was wanted.
  public mutating func calloutReturned(on thread: ThreadID, failed: Bool, value: HostValue) -> Step {
    if failed {
      unwind(thread.rawValue)
      return .result(.none)
    }
    if frames[Int(threads[thread.index].top)].kind == .thread { threads[thread.index].result = value }
    return advance(thread.rawValue)
  }

  // MARK: Frames

  /// Runs the frames of a thread until the host has something to do.
  mutating func advance(_ thread: Int32) -> Step {
    while true {
      let frame = Int(threads[Int(thread)].top)
      let flow: Flow
      switch frames[frame].kind {
      case .activation: flow = stepActivation(frame, thread)
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
      case .wait: flow = stepWait(frame, thread)
      case .thread: flow = stepThread(frame, thread)
      case .operation:
        pop(thread)
        guard let operation = threads[Int(thread)].pending else { defect("no operation is pending") }
        threads[Int(thread)].pending = nil
        return execute(operation, thread, threads[Int(thread)].pendingPosition)
      }
      switch flow {
      case .again:
        continue
      case .call:
        progress &+= 1
        guard countStep() else { return .parked }
        return .call(callout)
      case .pause:
        guard giveWay(thread) else { return .parked }
      case .done:
        let fromHost = frames[frame].fromHost
        pop(thread)
        if fromHost { return .result(result) }
      }
    }
  }

  @discardableResult
  mutating func push(_ kind: Frame.Kind, on thread: Int32, fromHost: Bool) -> Int {
    let below = threads[Int(thread)].top
    let index: Int
    if freeFrame >= 0 {
      index = Int(freeFrame)
      freeFrame = frames[index].below
      frames[index] = Frame(kind: kind, fromHost: fromHost, below: below)
    } else {
      index = frames.count
      frames.append(Frame(kind: kind, fromHost: fromHost, below: below))
    }
    threads[Int(thread)].top = Int32(truncatingIfNeeded: index)
    threads[Int(thread)].depth += 1
    return index
  }

  mutating func pop(_ thread: Int32) {
    let index = threads[Int(thread)].top
    threads[Int(thread)].top = frames[Int(index)].below
    threads[Int(thread)].depth -= 1
    frames[Int(index)].below = freeFrame
    freeFrame = index
  }

  /// Gives up the frames from the innermost to the operation that the host waits for: an error went through them.
  mutating func unwind(_ thread: Int32) {
    while threads[Int(thread)].top >= 0 {
      if unwindOne(thread) { return }
    }
  }

  /// Gives up the innermost frame; says whether the host waits for it.
  @discardableResult
  mutating func unwindOne(_ thread: Int32) -> Bool {
    let frame = Int(threads[Int(thread)].top)
    abandon(frame, thread)
    let fromHost = frames[frame].fromHost
    pop(thread)
    return fromHost
  }

  /// Puts back what a frame holds, when an error leaves it.
  private mutating func abandon(_ frame: Int, _ thread: Int32) {
    switch frames[frame].kind {
    case .activation: abandonActivation(frame, thread)
    case .notification: abandonNotification(frame)
    case .blocks: abandonBlocks(frame)
    case .mainQueue: abandonMainQueue(frame, thread)
    case .performs: abandonPerforms(frame)
    case .thread, .operation, .foundationRun, .receive, .handFire, .scheduling, .cancelling, .inlinePerform, .wait:
      freeCells(frames[frame].list)
    }
  }

  // MARK: Batches

  /// Adds a cell at the end of a batch whose first and last cells are given.
  mutating func addCell(_ a: Int32, _ b: Int32 = -1, first: inout Int32, last: inout Int32) {
    var index = freeCell
    if index >= 0 {
      freeCell = cells[Int(index)].next
      cells[Int(index)] = Cell(a: a, b: b, next: -1)
    } else {
      index = Int32(cells.count)
      cells.append(Cell(a: a, b: b, next: -1))
    }
    if last >= 0 { cells[Int(last)].next = index } else { first = index }
    last = index
  }

  /// Takes the first cell of a frame's batch; nil at its end.
  mutating func takeCell(_ frame: Int) -> (a: Int32, b: Int32)? {
    let index = frames[frame].list
    guard index >= 0 else { return nil }
    let cell = cells[Int(index)]
    frames[frame].list = cell.next
    cells[Int(index)].next = freeCell
    freeCell = index
    return (cell.a, cell.b)
  }

  mutating func freeCells(_ first: Int32) {
    var index = first
    while index >= 0 {
      let next = cells[Int(index)].next
      cells[Int(index)].next = freeCell
      freeCell = index
      index = next
    }
  }
}
