/// What some of the runs of an exploration have shown. Shares are put together in any order and come to the same.
struct Share: Sendable {
  /// What a trace counts, however often it was seen.
  struct TraceFigures: Equatable, Sendable {
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
  }

  /// Sets of traces, orders and outcomes are not let grow beyond this.
  static let maximumSetSize = 1_000_000

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
  var traces: [TraceHash: TraceFigures] = [:]
  var orders: Set<UInt64> = []
  /// For some orders the symbols of a schedule that has it.
  var orderExamples: [UInt64: [UInt32]] = [:]
  var outcomes: Set<[Observation]> = []
  /// What each thread did, as one number for the run; where two explorations are to be compared.
  var behaviours: Set<UInt64> = []
  var findings: [Observation: Shown] = [:]
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
    for (trace, figures) in other.traces where traces.count < Self.maximumSetSize { traces[trace] = figures }
    for order in other.orders where orders.count < Self.maximumSetSize { orders.insert(order) }
    orderExamples.merge(other.orderExamples) { $0.lexicographicallyPrecedes($1) ? $0 : $1 }
    for outcome in other.outcomes where outcomes.count < Self.maximumSetSize { outcomes.insert(outcome) }
    for behaviour in other.behaviours where behaviours.count < Self.maximumSetSize { behaviours.insert(behaviour) }
    for (observation, shown) in other.findings { findings[observation, default: Shown()].add(shown) }
    lockOrder.add(other.lockOrder)
    longest = max(longest, other.longest)
    threadCount = max(threadCount, other.threadCount)
    notes += other.notes
  }
}

extension Share.Shown {
  mutating func add(_ other: Share.Shown) {
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
