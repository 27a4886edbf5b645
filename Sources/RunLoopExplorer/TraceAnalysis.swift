/// What all interleavings of one trace have in common, worked out from one of them: how many there are, the one with the
/// fewest preemptions, and how likely a random walk takes one of them.
///
/// The steps of a trace that were taken at some moment of some interleaving are, for each actor, its first few: a cut. All
/// three answers follow from cut to cut.
struct TraceAnalysis {
  /// The number of interleavings; infinite when it is beyond counting.
  var interleavings: Double = 1
  /// The least number of preemptions.
  var preemptions = 0
  /// How many choices of the interleaving with the fewest preemptions differ from the default policy.
  var choices = 0
  /// The chance that a random walk takes one of the interleavings.
  var chance: Double = 1
  /// Whether the trace was small enough for all that; otherwise the figures are those of the run itself.
  var isExact = true
}

extension TraceAnalysis {
  /// The figures of one run alone.
  init(ofRun trail: borrowing Trail) {
    let totals = trail.totals
    preemptions = Int(totals.preemptions)
    choices = Int(totals.choices)
    chance = totals.chance
  }
}
