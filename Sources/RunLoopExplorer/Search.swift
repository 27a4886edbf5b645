/// At which places of a run snapshots are kept: at all near its beginning, then ever fewer, so that a long run does not
/// take memory without bound. What lies between is gone through again.
enum SnapshotPlaces {
  @inline(__always)
  static func contains(_ depth: Int) -> Bool {
    if depth < 64 { return true }
    let stride = (1 << (Int.bitWidth - depth.leadingZeroBitCount - 1)) >> 5
    return depth & (stride - 1) == 0
  }
}

/// A way to take one run after the other.
protocol Search: ~Copyable {
  /// Goes on to the end of the next run; false when there is none.
  mutating func nextRun() -> Bool
  /// Lends the steps of the run as it ended.
  func withTrail<Result>(_ body: (borrowing Trail) -> Result) -> Result
  /// Who cannot go on at the end of the run.
  var end: ChoicePoint { get }
}
