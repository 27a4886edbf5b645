/// What some of the runs of an exploration have shown. Shares are put together in any order and come to the same.
struct Share: Sendable {
  /// What a trace counts, however often it was seen.
  struct TraceFigures: Hashable, Sendable {
    var preemptions: Int
    var interleavings: Double
    var chance: Double
  }

  /// A finding as far as these runs show it.
  struct Shown: Sendable {
    var runs = 0
    var interleavings = ExactSum.ofCounts
    var chance = ExactSum.ofChances
    var cost = Finding.Cost.none
    /// The steps of the run with the least cost, in the order of its trace's shortest interleaving.
    var moves: [RunMove] = []
    /// Of a race: the pairs of threads that have it, in the order of its places.
    var threads: Set<[String]> = []
    /// Of a hang: the lines of all the hangs, itself among them, that each run has that has this one.
    var companions: Set<String> = []
  }

  /// Of more findings, or more sets of findings that runs have, those are kept that come first. (Traces and orders that
  /// are too many are a sample: `DistinctTable`.)
  static let maximumFindings = 1_000

  var schedules = 0
  /// Runs that were taken in vain: they came to nothing that was not seen, or left the bound of preemptions.
  var redundant = 0
  var brokenOff = 0
  /// What one of the runs that reached a limit of their own says of it.
  var limitMessage: String?
  /// Runs that were left where a state came back.
  var cameBack = 0
  /// Schedules whose two runs were not the same.
  var unequalRuns = 0
  var choicePoints = 0
  var hadChoice = false
  /// Whether a bound of preemptions left something out.
  var leftSomethingOut = false
  /// Traces, where each is run once.
  var traceCount = 0
  var interleavings = ExactSum.ofCounts
  var chance = ExactSum.ofChances
  /// How many traces need exactly so many preemptions, where each is run once.
  var byPreemptions: [Int] = []
  /// The traces, where one may be run more than once.
  var traces = TraceTable()
  var orders = DistinctTable<OrderNumber, NoValue>()
  /// For some orders the symbols of a schedule that has it.
  var orderExamples: [UInt64: [UInt32]] = [:]
  var outcomes: Set<[Observation]> = []
  /// What each thread did, as one number for the run; where two explorations are to be compared.
  var behaviours = DistinctTable<OrderNumber, NoValue>()
  var findings: [Observation: Shown] = [:]
  /// Whether there were more.
  var hasMoreFindings = false
  var lockOrder = LockOrder()
  /// The most steps and threads that a run had.
  var longest = 0
  var threadCount = 1
  /// What went wrong with the exploration itself.
  var notes: [String] = []

  mutating func countTrace(preemptions: Int, times: Int = 1) {
    while byPreemptions.count <= preemptions { byPreemptions.append(0) }
    byPreemptions[preemptions] += times
  }

  mutating func note(limit message: String) { limitMessage = min(limitMessage ?? message, message) }

  /// Adds what other runs have shown.
  mutating func add(_ other: Share) {
    schedules += other.schedules
    redundant += other.redundant
    brokenOff += other.brokenOff
    if let message = other.limitMessage { note(limit: message) }
    cameBack += other.cameBack
    unequalRuns += other.unequalRuns
    choicePoints += other.choicePoints
    hadChoice = hadChoice || other.hadChoice
    leftSomethingOut = leftSomethingOut || other.leftSomethingOut
    traceCount += other.traceCount
    interleavings.add(other.interleavings)
    chance.add(other.chance)
    for (preemptions, count) in other.byPreemptions.enumerated() where count > 0 {
      countTrace(preemptions: preemptions, times: count)
    }
    traces.formUnion(other.traces)
    orders.formUnion(other.orders)
    orderExamples.merge(other.orderExamples) { $0.lexicographicallyPrecedes($1) ? $0 : $1 }
    outcomes.formUnion(other.outcomes)
    behaviours.formUnion(other.behaviours)
    for (observation, shown) in other.findings { findings[observation, default: Shown()].add(shown) }
    hasMoreFindings = hasMoreFindings || other.hasMoreFindings
    boundFindings()
    lockOrder.add(other.lockOrder)
    longest = max(longest, other.longest)
    threadCount = max(threadCount, other.threadCount)
    notes += other.notes
  }

  /// Forgets the findings that are too many, once there are twice as many as may be.
  ///
  /// What comes first is never forgotten, so in whatever order and however often it is done, the first ones stay, with all
  /// that was counted of them.
  mutating func boundFindings() {
    if findings.count > 2 * Self.maximumFindings {
      hasMoreFindings = true
      let last = findings.keys.sorted()[Self.maximumFindings - 1]
      findings = findings.filter { $0.key <= last }
    }
    if outcomes.count > 2 * Self.maximumFindings {
      let first = outcomes.sorted { $0.lexicographicallyPrecedes($1) }.prefix(Self.maximumFindings)
      outcomes = Set(first)
    }
  }

  /// The findings to be told, in their order.
  var firstFindings: [(key: Observation, value: Shown)] {
    Array(findings.sorted { $0.key < $1.key }.prefix(Self.maximumFindings))
  }
}

extension Share.Shown {
  mutating func add(_ other: Share.Shown) {
    if other.runs > 0 { restrictCompanions(to: other.companions, isFirst: runs == 0) }
    threads.formUnion(other.threads)
    runs += other.runs
    interleavings.add(other.interleavings)
    chance.add(other.chance)
    consider(other.cost) { other.moves }
  }

  /// Keeps the run with the least cost; of equal ones that whose steps come first, whichever was seen first.
  mutating func consider(_ other: Finding.Cost, _ steps: () -> [RunMove]) {
    if other > cost { return }
    let candidate = steps()
    guard other < cost || candidate.lexicographicallyPrecedes(moves, by: { $0.key < $1.key }) else { return }
    cost = other
    moves = candidate
  }
}

extension RunMove {
  fileprivate var key: Int64 { Int64(actor) << 32 | Int64(alternative) }
}
