/// What a thread is in the middle of: its activations, callouts and waits lie on each other as frames, so a thread needs
/// no native stack of its own and a simulation is one value.
struct Frame: Equatable, Sendable {
  enum Kind: UInt8, Sendable {
    /// A thread from its start to its end.
    case thread
    /// An operation that waits for its turn, under a preemptive scheduler.
    case operation
    /// One `runInMode`: the twelve steps.
    case activation
    /// `run`, `runUntil`, `runForever`, `runMode`, `acceptInput`, `limitDate`: runs of `runInMode`.
    case foundationRun
    /// Observers being told of an activity.
    case notification
    /// Queued blocks being run.
    case blocks
    /// Perform requests being carried out.
    case performs
    /// One timer fired by hand.
    case handFire
    /// A message being received.
    case receive
    /// Blocks of the main queue being run.
    case mainQueue
    /// A source being added to modes: its schedule callbacks.
    case scheduling
    /// A source being taken out of modes: its cancel callbacks.
    case cancelling
    /// A perform request on the current thread with wait.
    case inlinePerform
    /// A function being called under the lock of an object.
    case synchronized
    /// A function being called once for all.
    case once
    /// A wait for a condition, and for its mutex afterwards.
    case conditionWait
    /// Objects of autorelease pools being released, or one by hand: their dealloc callbacks.
    case draining
    /// A function being called within an autorelease pool of its own.
    case poolScope
    /// Observers of the notification centre being told.
    case posting
    /// A request to a message port.
    case request
    /// Any other wait.
    case wait
  }

  var kind: Kind
  /// What is to be done next, by kind.
  var step: UInt8 = 0
  var activationStep = ActivationStep.entry
  /// Whether the host waits for its result.
  var fromHost: Bool
  /// A look at shared state may be taken now: the scheduler was asked.
  var isGranted = false
  var poll = false
  var handled = false
  /// An error goes through it once it is done.
  var isRaising = false
  var returnAfterSourceHandled = false
  var isStopped = false
  var ignoresWakeUps = false
  var servesMainQueue = false
  var servedMainQueueLast = false
  /// The activation was woken, and has found nothing to do so far.
  var isWokenInVain = false
  var below: Int32
  var loop: Int32 = -1
  var mode: Int32 = -1
  /// What the current callout is about.
  var item: Int32 = -1
  /// The rest of a batch: cells, or blocks.
  var list: Int32 = -1
  /// Blocks kept for other modes while the queue is being run: first and last.
  var kept: Int32 = -1
  var lastKept: Int32 = -1
  /// The activation that was the loop's innermost before this one.
  var previous: Int32 = -1
  /// The agenda entry of the deadline.
  var alarm: Int32 = -1
  var deadline: Nanoseconds = 0
  /// The live port (step 9), or a value of the frame's kind.
  var live: Int32 = ReadyEntry.none
  var wakeReason = WakeReason.nothing
  /// The message that was taken with the live port: an index into the simulation's held messages.
  var message: Int32 = -1
  /// What `live` fired for (timers): the instant of its schedule.
  var fired = Instant(0)
  /// Points of the fired timer's grid that had passed when it fired.
  var passed: Int64 = 0
  var value: HostValue = .none
  /// Where the script asked for the run (activations, Foundation runs and requests), or for what a guard protects, when explored.
  var position = Position.unknown
}

/// What a step of a frame leads to.
enum Flow {
  /// Go on with the innermost frame.
  case again
  /// Call the host: `callout` is set.
  case call
  /// The thread cannot go on, or offers others to: it is where the scheduler looks for it.
  case pause
  /// The frame is done: `result` is set.
  case done
  /// The frame is done, and the error that came to it goes on.
  case raise
}
