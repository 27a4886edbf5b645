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
  /// Whether all traces are kept, to compare two explorations.
  public var keepsTraces = false
  /// Which share of the exploration is taken; nil: all of it.
  public var shard: Shard?
  /// Asked now and then; true ends the search with what is known.
  public var shouldStop: (@Sendable () -> Bool)?
  public init() {}

  /// One of several shares that together are the whole exploration.
  public struct Shard: Equatable, Sendable {
    /// From 1 on.
    public var index: Int
    public var count: Int
    public init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }
}

extension ExploreOptions {
  /// A number for all that decides which runs there are and what is kept of them; not how many of them are taken.
  public var digest: UInt32 {
    var hash = FNVHash()
    let words =
      "\(strategy.rawValue) \(reduces) \(maximumPreemptions ?? -1) \(settings.timeIsFree) \(settings.isUnfair) "
      + "\(settings.spuriousWakeups) \(seed) \(depth) \(maximumSteps) \(stopsAtFirst) \(keptOrders) \(keepsTraces) "
      + "\(checksDeterminism)"
    hash.add(words.utf8)
    return hash.folded
  }
}
