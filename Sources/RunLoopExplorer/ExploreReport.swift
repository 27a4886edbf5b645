/// What an exploration came to.
public struct ExploreReport: Sendable {
  public enum Verdict: String, Sendable {
    /// Everything was explored, and nothing found.
    case holds
    case fails
    /// A bound was reached first, or there was nothing to explore.
    case inconclusive
  }

  /// The version of the report's form. 2: its last member is a check sum.
  public static let version = 2

  public var verdict = Verdict.inconclusive
  /// Why it is inconclusive, in words.
  public var reason = ""
  public var findings: [Finding] = []
  /// Runs that were taken.
  public var schedules = 0
  /// Runs that the reduction took in vain.
  public var redundant = 0
  public var traces = 0
  /// Interleavings of these traces; infinite when they are too many to count.
  public var interleavings = 0.0
  /// Distinct text traces.
  public var orders = 0
  /// Whether there were too many traces to keep them all: their number, and the figures made from them, are good to about
  /// a thousandth.
  public var tracesAreEstimated = false
  /// The same for orders.
  public var ordersAreEstimated = false
  /// For each order a run that has it; empty unless `ExploreOptions.keptOrders` asks for some.
  public var orderExamples: [Schedule] = []
  public var isExhausted = false
  /// Runs that were broken off after too many steps.
  public var brokenOff = 0
  /// Runs that were left where a state came back.
  public var cameBack = 0
  /// Places of runs where more than one could go on.
  public var choicePoints = 0
  /// How many traces need at most 0, 1, 2, … preemptions.
  public var cumulative: [Int] = []
  /// How much of the space was seen, as a random walk goes through it.
  public var seenShare = 0.0
  public var seconds = 0.0
  public var strategy = ""
  /// Of `pct`: the least chance that a run has to show a bug of the depth asked for.
  public var guarantee: Double?
  /// What went wrong with the exploration itself, such as a run that was not the same twice.
  public var notes: [String] = []
  /// Why the reduction was off, in a sentence.
  public var whyNotReduced: String?
  /// The script does not compile.
  public var syntaxError: String?
  public var wasInterrupted = false
  /// What it was to go on with is of no exploration of this script.
  public var cannotResume = false
  /// Whether nothing is left to explore with these options.
  public var isComplete = false
  /// Which share of an exploration it is; nil: all of it.
  public var shard: ExploreOptions.Shard?
  /// Whether it is a share that all of the exploration is outside of.
  public var isEmptyShare: Bool { shard != nil && isExhausted && schedules == 0 }
}
