/// What a simulation stores of each object, in flat arrays. Handles are indices into them; -1 stands for none.

/// What a thread is doing.
enum ThreadState: UInt8, Sendable {
  case new, ready, running, blocked, ended
}

/// What a blocked thread waits for.
enum Wait: Equatable, Sendable {
  case none
  /// A live port of the mode its loop is running.
  case loop
  /// A date.
  case sleep
  /// The end of a computation.
  case work
  /// The end of a thread.
  case join(Int32)
  /// Room in a port's queue.
  case room(Int32)
  /// A perform request on a thread.
  case perform(Int32)
  /// A block of the main queue.
  case mainQueue
  /// A lock that one thread holds at a time.
  case lock(Int32)
  /// A spin lock: the waiter uses a processor.
  case spin(Int32)
  /// A condition lock that is free and has a value.
  case lockWhen(Int32, Int64)
  /// A read-write lock, for reading.
  case readLock(Int32)
  /// A read-write lock, for writing.
  case writeLock(Int32)
  /// The signal of a condition.
  case condition(Int32)
  /// A condition's mutex, once woken.
  case retake(Int32)
  /// A semaphore's signal.
  case semaphore(Int32)
  /// The end of the function of a `once`.
  case once(Int32)
}

/// What a thread's turn needs stands at the beginning: with ten thousand threads each turn is that of one whose record is
/// in none of the processor's caches.
struct ThreadRecord: Equatable, Sendable {
  var state = ThreadState.new
  var hasCoroutine = false
  /// Between the entry's return and the end: its loop is being taken apart.
  var isEnding = false
  /// It ends itself by `rl.exitThread`: no frame of its script goes on.
  var isExiting = false
  /// How the wait ended: 1 as wished, 0 by its date, -1 because the other side is gone.
  var outcome: Int8 = 1
  /// It waits before that operation for the host's choice, in the explored mode.
  var isParked = false
  /// Its work has ended, and it goes on before all others.
  var keepsCore = false
  /// The agenda entry that ends a timed wait.
  var alarm: Int32 = -1
  var wait = Wait.none
  /// The next thread in the ready list.
  var nextReady: Int32 = -1
  /// The next thread in the queue of what it waits for.
  var nextWaiter: Int32 = -1
  /// The innermost frame.
  var top: Int32 = -1
  /// Its run loop, once asked for.
  var loop: Int32 = -1
  /// The first of its pending perform requests, and the last.
  var firstPerform: Int32 = -1
  var lastPerform: Int32 = -1
  /// The innermost autorelease pool that was put to use.
  var pool: Int32 = -1
  var depth: Int32 = 0
  /// Passes and runs since the last progress, for `busyLoop`.
  var idlePasses: Int32 = 0
  var progressSeen: UInt64 = 0
  var name: NameID
  var entry: HostValue
  var arguments: HostValue
  /// What the entry function returned, once it has.
  var result: HostValue = .none
  /// The thread that made it; in the explored mode only.
  var maker: Int32 = 0
  var isJoinable: Bool
  var isJoined = false
  var isCancelled = false
  /// Where it was started, joined (line 0: not yet).
  var startPosition = Position.unknown
  var joinPosition = Position.unknown
  /// The thread that waits for its end.
  var joiner: Int32 = -1
  /// The condition on which its previous wait woke up for nothing.
  var spuriousOn: Int32 = -1
  var waitPosition = Position.unknown
  /// Since when the source that its pending perform requests act as is signalled.
  var performMoment: UInt64 = 0
  /// The operation it is about to do, under a preemptive scheduler.
  var pending: Operation?
  var pendingPosition = Position.unknown
  /// How willingly a free core takes it, 0 to 1.
  var priority = 0.5
  /// Bytes, when it was set.
  var stackSize: Int64?
  /// Until when it asks for a spin lock, with limited cores.
  var spinsUntil = Nanoseconds.distantFuture
  /// What is left of its quantum.
  var quantumLeft: Nanoseconds = 0
  /// What is left of its work, with limited cores.
  var remainingWork: Nanoseconds = 0
  /// It waits in a circle of threads (set when the run has ended).
  var isInDeadlock = false
}

/// The text of the message that a thread is about to send. Not in its record, which so is copied as it lies.
struct PendingText: Equatable, Sendable {
  var thread: Int32
  var text: [UInt8]
}

struct LoopRecord: Equatable, Sendable {
  var thread: Int32
  /// The innermost activation's frame.
  var activation: Int32 = -1
  var isWaiting = false
  /// Gone with its thread.
  var isGone = false
  /// The wake-up port holds its one message.
  var wakePending = false
  var wakeReason = WakeReason.wakeUp
  /// Its modes, in order of creation.
  var modes: [Int32] = []
  var commonModes: [NameID] = [.defaultMode]
  var commonItems: [Item] = []
  /// Queued blocks.
  var firstBlock: Int32 = -1
  var lastBlock: Int32 = -1
  /// How often it came out of a wait, by `WakeReason`; for timers apart.
  var wakeCounts: [Int64] = []
  var timerWakes: Int64 = 0
}

struct ModeRecord {
  var name: NameID
  var loop: Int32
  var isCommon: Bool
  /// Whether it was run at some time, for people.
  var hasRun = false
  /// Version-0 sources, in order of adding.
  var sources: [Int32] = []
  /// How many of them are signalled.
  var signalled: Int32 = 0
  /// Version-1 sources, in order of adding.
  var ports: [Int32] = []
  /// Ascending by order, equal orders in order of adding.
  var observers: [Int32] = []
  /// The activities some observer of the mode wanted at some time.
  var observerMask: Activities = []
  var timers = TimerHeap()
  /// How many of the timers have a tolerance.
  var tolerant: Int32 = 0
  /// Ready ports, first come first served, as cells: port numbers, or a `ReadyEntry`. The first and the last.
  var firstReady: Int32 = -1
  var lastReady: Int32 = -1
  /// The timer port: whether it is ready, and the soft and hard deadline it was last armed for.
  var timerIsReady = false
  var softDeadline = Instant.distantFuture
  var hardDeadline = Instant.distantFuture
  /// The agenda entry of the armed timer port.
  var alarm: Int32 = -1
}

/// Entries of a mode's ready list that are not version-1 ports.
enum ReadyEntry {
  static let timer: Int32 = -1
  static let wakeUp: Int32 = -2
  static let mainQueue: Int32 = -3
  /// No port at all.
  static let none: Int32 = -4
}

struct SourceRecord: Equatable, Sendable {
  var name: NameID
  var order: Int64
  var perform: HostValue
  var schedule: HostValue
  var cancel: HostValue
  var isValid = true
  var isSignalled = false
  /// When it was first signalled since it was last performed.
  var signalMoment: UInt64 = 0
  var signalPosition = Position.unknown
  /// The modes it is in.
  var modes: [Int32] = []
}

struct PortRecord: Equatable, Sendable {
  var name: NameID
  var order: Int64
  var capacity: Int
  var receive: HostValue
  var isValid = true
  var messages: [Message] = []
  /// Threads that wait for room, longest first.
  var senders: [Int32] = []
  /// The reply port of the message being received.
  var replyPort: Int32 = -1
  /// The modes it is in.
  var modes: [Int32] = []
  /// Of a message port: its interned name, and the name of the ports that its replies go to.
  var service = NameID.none
  var replyName = NameID.none
}

struct Message: Equatable, Sendable {
  var value: HostValue
  var text: [UInt8]
  var replyTo: Int32
  /// The request to a message port that it belongs to.
  var request: Int32 = -1
  /// It is the reply, or tells of the end of the port.
  var isReply = false
}

/// What each fire needs of a timer: one line of the processor's caches, as of a hundred thousand timers none is in them.
struct TimerRecord: Equatable, Sendable {
  var callback: HostValue
  /// When it fires next.
  var fire: Instant
  /// Its modes beside the first: an index into the simulation's `places`.
  var more: Int32 = -1
  /// What the getter says: the date it was made with or set to.
  var date: Nanoseconds
  /// Seconds; 0 for a one-shot.
  var interval: Double
  /// The interval in nanoseconds, rounded.
  var period: Nanoseconds
  /// An index into `delayedPerforms`, for a perform after delay.
  var perform: Int32 = -1
  /// How often it has fired, less what `TimerDetails` adds.
  var fireCount: UInt32 = 0
  /// The loop it belongs to.
  var loop: Int32 = -1
  var isValid = true
  var isFiring = false
  /// Whether points of the grid were passed over since the last fire.
  var hasMissed = false

  /// Whether a fire is nothing but a call of its own function, and what it leads to concerns one mode only.
  @inline(__always)
  var isPlain: Bool { !isFiring && more < 0 && perform < 0 && callback != .none }
}

/// What a fire does not need of a timer.
struct TimerDetails: Equatable, Sendable {
  var name: NameID
  /// Fires that `TimerRecord.fireCount` could not hold.
  var moreFires = 0
  /// Points of the grid passed over since the last fire, and in all.
  var missedSinceFire: Int64 = 0
  var missed: Int64 = 0
  var order: Int64
  var tolerance: Nanoseconds = 0
}

/// A mode of a timer that is in several, in a list of the timer's own.
struct TimerPlace: Equatable, Sendable {
  var mode: Int32
  var place: Int32
  var next: Int32
}

struct ObserverRecord: Equatable, Sendable {
  var name: NameID
  var activities: Activities
  var repeats: Bool
  var order: Int64
  var handler: HostValue
  var isValid = true
  var isFiring = false
  var loop: Int32 = -1
  /// The modes it is in.
  var modes: [Int32] = []
}

/// A block queued for a run loop or for the main queue.
struct BlockRecord: Equatable, Sendable {
  var callback: HostValue
  var modes: ModeList = ModeList(.defaultMode)
  var position: Position
  /// Queued by `mainQueue:after`.
  var isDelayed = false
  /// The thread that waits for it (`mainQueue:sync`).
  var waiter: Int32 = -1
  var next: Int32 = -1
}

/// A pending perform request.
struct PerformRecord: Equatable, Sendable {
  var request: PerformRequest
  var from: Int32
  var position: Position
  /// The thread that waits for it.
  var waiter: Int32
  var next: Int32 = -1
}

/// One place of a batch: what a frame still has to do, in order.
struct Cell: Equatable, Sendable {
  var a: Int32
  var b: Int32
  var next: Int32
}
