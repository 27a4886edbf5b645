/// A thread before a visible step, in the explored mode.
public struct Candidate: Sendable {
  public var thread: ThreadID
  /// Whether it can take the step now.
  public var isEnabled: Bool
  /// What must be free for it.
  public var need: Explored.Need?
}

/// What the explored mode tells of a step.
///
/// Its lists are pools, which the `System` owns alone: they change with every step.
public struct Explored: ~Copyable {
  /// The clock, as an object that steps touch; `--time free` only.
  public static let clock: Int64 = 100 << 32
  /// How many spurious wake-ups are left.
  static let spuriousWakeups: Int64 = 101 << 32

  /// Something that a step touches.
  public struct Touch: Sendable {
    /// As `Access.object` has it.
    public var object: Int64
    /// The same as `Simulation.number(of:)` has it, once `readStep` was called.
    public internal(set) var number: Int64 = 0
    /// Whether the step changes it, at some time; otherwise it only looks.
    public var changes: Bool
    /// What of the object was free before the step, by the bits of a `Need`.
    public var before: UInt8
    /// The same after it, once `readStep` was called.
    public var after: UInt8 = 0xFF
  }

  /// A thread now knows all that another does (-1: the clock).
  public struct Lesson: Sendable {
    public var thread: Int32
    public var from: Int32
  }

  /// What must be free: these bits of what `System.availability` says of an object.
  public struct Need: Sendable {
    public var object: Int64
    public var bits: UInt8
    init(_ kind: Access.Kind, _ id: Int32, _ bits: UInt8) {
      self.init(object: kind.rawValue << 32 | Int64(UInt32(bitPattern: id)), bits: bits)
    }

    init(object: Int64, bits: UInt8) {
      self.object = object
      self.bits = bits
    }
  }

  /// What the clock needs to move: that something is due.
  public static var dates: Need { Need(object: clock, bits: 1) }

  /// What the step touched.
  var touches = Pool<Touch>()
  /// What threads learned from each other by it, in this order.
  var lessons = Pool<Lesson>()
  /// Who was before a step when that was asked for last.
  var candidates = Pool<Candidate>()
  /// Whether that was at the choice that the run is at.
  var candidatesAreOfNow = false
  /// Who could not go on when the run ended.
  var blockedAtEnd = Pool<Candidate>()
  /// What had to be free for it.
  var need: Need?
  /// In how many ways it could have gone.
  var alternatives: Int32 = 1
  /// Whether the clock moved afterwards, as nothing else could go on.
  var movedClock = false
  /// Threads that were before a step when it moved first.
  var held = Pool<Int32>()

  /// A run of a loop that an error went through.
  public struct LeftRun: Sendable {
    public var thread: ThreadID
    public var mode: NameID
    /// Where the script asked for it.
    public var position: Position
  }

  /// Runs that an error has left, oldest first.
  public var leftRuns: [LeftRun] = []

  // What a system keeps of the explored mode beside.
  var timeIsFree = false
  var isUnfair = false
  var spuriousLeft = 0
  var isAtChoice = false
  var isFrozen = true
  /// The thread that goes on now; -1: the clock.
  var running: Int32 = -1
  var wanted: Int32 = 0
  /// Steps of the clock, to tell what became ready at the same moment.
  var moments: Int32 = 0
  /// How often threads gave way since the last step, without a step between.
  var yields = 0
  /// Whether any step was chosen.
  var hasChosen = false
  /// What was made since then.
  var made = MadeObjects()

  /// What was touched after the clock moved, by threads that go on because of it; and through whom each of them goes on:
  /// a thread that was due then.
  struct Later: Sendable {
    var root: Int32
    var access: Access
  }

  // (As what a pool holds it is not private: `Stack` in the explorer says why.)
  struct Root {
    var thread: Int32
    var root: Int32
  }

  var afterMove = Pool<Later>()
  private var roots = Pool<Root>()
  /// Whether a thread has reached the dictionary of another: so what is in dictionaries may be in several hands.
  var dictionariesAreShared = false
  /// Whether threads have done what depends on more than their steps tell: which of those due at the same moment went on
  /// first, that an error has left a guard, what is in a table in a dictionary, or a free clock beside few processors.
  public internal(set) var dependsOnMore = false

  /// Through whom a thread goes on since the clock moved.
  func root(of thread: Int32) -> Int32 {
    var index = roots.count - 1
    while index >= 0 {
      if roots[index].thread == thread { return roots[index].root }
      index -= 1
    }
    return thread
  }

  /// A thread goes on because of another; -1: because of the clock.
  mutating func note(root of: Int32, from other: Int32) {
    let root = other < 0 ? of : root(of: other)
    if root != of || other < 0 { roots.append(Root(thread: of, root: root)) }
  }

  mutating func forgetMoment() {
    afterMove.empty()
    roots.empty()
  }

  /// Becomes a copy of another, in the memory that it has. What the last step did is not copied: the next one begins with
  /// nothing.
  mutating func assign(_ other: borrowing Explored) {
    blockedAtEnd.assign(other.blockedAtEnd)
    need = other.need
    alternatives = other.alternatives
    movedClock = other.movedClock
    leftRuns.assign(other.leftRuns)
    timeIsFree = other.timeIsFree
    isUnfair = other.isUnfair
    spuriousLeft = other.spuriousLeft
    isAtChoice = other.isAtChoice
    isFrozen = other.isFrozen
    running = other.running
    wanted = other.wanted
    moments = other.moments
    yields = other.yields
    hasChosen = other.hasChosen
    dictionariesAreShared = other.dictionariesAreShared
    made.assign(other.made)
    candidatesAreOfNow = false
    forgetMoment()
    dependsOnMore = false
  }
}

/// What a step did, as it is lent to the host: where the lists are.
public struct ExploredStep {
  /// What it touched.
  public let touches: UnsafeBufferPointer<Explored.Touch>
  /// What threads learned from each other by it, in this order.
  public let lessons: UnsafeBufferPointer<Explored.Lesson>
  /// Threads that were before a step when the clock moved first.
  public let held: UnsafeBufferPointer<Int32>
  /// What had to be free for it.
  public let need: Explored.Need?
  /// In how many ways it could have gone.
  public let alternatives: Int32
  /// Whether the clock moved afterwards, as nothing else could go on.
  public let movedClock: Bool

  init(_ explored: borrowing Explored) {
    touches = explored.touches.elements
    lessons = explored.lessons.elements
    held = explored.held.elements
    need = explored.need
    alternatives = explored.alternatives
    movedClock = explored.movedClock
  }
}
