/// Whose behaviour is simulated (semantics 2 and 3).
public enum Profile: String, CaseIterable, Sendable {
  /// CoreFoundation as on Apple platforms.
  case apple
  /// The same code as swift-corelibs-foundation builds it on Linux.
  case linux
  /// The ten steps of the Threading Programming Guide, to the letter.
  case guide
}

/// A set of event categories.
public struct EventCategories: OptionSet, Sendable, Hashable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The set of one category.
  public init(_ category: EventCategory) { rawValue = 1 << UInt32(category.rawValue) }
  public static let all = EventCategories(rawValue: ~0)
  public static let none: EventCategories = []
  /// All but the accesses to shared memory, which are hidden unless asked for (trace.md).
  public static let standard = all.subtracting(EventCategories(.access))
}

/// What a simulation is made with.
public struct Configuration: Sendable {
  public var profile: Profile = .apple
  /// nil: threads run in the order in which they became ready. Otherwise the seed of a generator that picks among the
  /// ready ones at every scheduling point.
  public var seed: UInt64?
  /// Virtual time at which the run ends; what is due at that very nanosecond still happens.
  public var until: Nanoseconds = .distantFuture
  /// The categories of which events are made at all; others cost nothing. Faults and the end are always made.
  public var tracing: EventCategories = .standard
  /// Steps (operations, passes and callouts) after which the run ends as `limit`.
  public var maximumSteps: Int = 100_000_000
  /// Virtual time after which the run ends as `limit`.
  public var maximumTime: Nanoseconds = .distantFuture
  /// How many frames (activations, callouts and waits inside each other) a thread may have.
  public var maximumDepth: Int = 5_000
  /// Passes or runs without a callout and without a step of the clock that make the fault `busyLoop`.
  public var busyLoopLimit: Int32 = 10_000
  /// Whether passes that nobody can notice may be taken at once. For tests only: it changes no outcome.
  public var quietPasses = true
  /// Whether conditions wake up for nothing: a wait does so at once, unless the thread's previous wait on the same
  /// condition did.
  public var spuriousWakeups = false
  /// Processors: how many threads can work at once.
  public var cores = Int.max
  /// How long a thread works before others get their turn, when cores are few.
  public var quantum: Nanoseconds = .distantFuture
  /// Whether each callout of a run loop has an autorelease pool of its own.
  public var poolPerCallout = true
  /// Whether the host chooses who takes each visible step; nil: it does not.
  public var exploration: Exploration?
  public init() {}

  /// What the host chooses, beside who goes on.
  public struct Exploration: Sendable {
    /// When the clock moves, even while threads can go on.
    public var timeIsFree = false
    /// Which of several waiters of a condition a signal wakes.
    public var isUnfair = false
    /// Wake-ups of conditions for nothing, so many a run.
    public var spuriousWakeups = 0
    /// Whether the end of a thread is a step: where the script asks for it other than by a join.
    public var endsAreSteps = false
    public init() {}
  }
}
