/// Leaves runs whose trace needs more preemptions than are asked for, whatever comes after.
///
/// What a beginning needs at least is the fewest preemptions of all interleavings of its steps, where leaving a thread
/// after the last of its steps counts for nothing: it may go on in the same breath later. A trace needs at least as many as
/// each of its beginnings. But the search comes to some traces only by reversing a race in a run that needs more than
/// they do: so it goes beyond the bound by the number of threads less two (Marmanis, Kokologiannakis and Vafeiadis,
/// "Reconciling Preemption Bounding with DPOR"), and what is too much is left out at the end of the run.
struct PreemptionBound: ~Copyable {
  private let most: Int
  private var analyzer = TraceAnalyzer()

  init(_ most: Int) {
    self.most = most
    analyzer.maximumCuts = TraceAnalyzer.cutsUnderBound
  }

  /// Whether no continuation of a run is within the bound.
  ///
  /// - Parameter point: who can go on.
  mutating func excludes(_ trail: borrowing Trail, _ point: ChoicePoint) -> Bool {
    let last = trail.count - 1
    // What needs more became so by a preemption.
    guard last > 0, trail.preemptions > most, trail.events[last].preemptions > trail.events[last - 1].preemptions
    else { return false }
    let slack = max(0, Self.threads(trail, point) - 2)
    guard trail.preemptions > most + slack else { return false }
    let analysis = analyzer.analyze(trail, ChoicePoint())
    return analysis.isExact && analysis.preemptions > most + slack
  }

  /// How many threads have taken a step, or are before one.
  private static func threads(_ trail: borrowing Trail, _ point: ChoicePoint) -> Int {
    var count = 0
    for actor in 1..<max(2, trail.actorCount) where trail.eventCount(of: actor) > 0 { count += 1 }
    func isNew(_ actor: Int32) -> Bool {
      actor != clockActor && (Int(actor) >= trail.actorCount || trail.eventCount(of: Int(actor)) == 0)
    }
    for actor in point.enabled where isNew(actor) { count += 1 }
    for blocked in point.blocked where isNew(blocked.actor) { count += 1 }
    return count
  }
}
