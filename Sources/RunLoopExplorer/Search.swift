/// A way to take one run after the other.
protocol Search: ~Copyable {
  /// Goes on to the end of the next run; false when there is none.
  mutating func nextRun() -> Bool
  /// Lends the steps of the run as it ended.
  func withTrail<Result>(_ body: (borrowing Trail) -> Result) -> Result
  /// Who cannot go on at the end of the run.
  var end: ChoicePoint { get }
}
