/// What an exploration is asked for.
public struct ExploreOptions: Sendable {
  public enum Strategy: String, CaseIterable, Sendable {
    case exhaustive, random, pct, surw, portfolio
  }

  public var strategy = Strategy.exhaustive
  /// One run for each trace; otherwise each interleaving.
  public var reduces = true
  /// Whether it is an error when the script does not allow that.
  public var mustReduce = false
  /// Interleavings with more preemptions are left out; nil: none are.
  public var maximumPreemptions: Int?
  public var settings = Schedule.Settings()
  public var seed: UInt64 = 0
  /// Of `pct`: how many orderings a bug may need.
  public var depth = 3
  public var maximumSchedules: Int?
  public var maximumSeconds: Double?
  /// Steps after which a run is broken off.
  public var maximumSteps = 10_000
  /// Of how many orders an example is kept.
  public var keptOrders = 0
  /// Whether each schedule is run twice and compared.
  public var checksDeterminism = false
  /// Whether the search ends with the first finding.
  public var stopsAtFirst = false
  /// The text of a module that the script requires, and what its file is called; nil when there is none.
  public var module: @Sendable (String) -> (text: [UInt8], file: String)? = { _ in nil }
  /// Asked now and then; true ends the search with what is known.
  public var shouldStop: (@Sendable () -> Bool)?
  public init() {}
}
