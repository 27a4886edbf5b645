/// Says once, where nobody sees how far it is and nothing bounds it, that an exploration takes long, and what bounds it.
struct LongExploration {
  /// So many seconds are no reason to say anything.
  static let patience = 60.0

  private let begin: Double
  private var isTold: Bool

  /// - Parameters:
  ///   - now: seconds of some clock.
  ///   - isSilent: whether there is neither progress nor a bound.
  init(now: Double, isSilent: Bool) {
    begin = now
    isTold = !isSilent
  }

  /// What is to be said now; nil: nothing.
  ///
  /// - Parameters:
  ///   - schedules: how many runs are known to have been taken.
  ///   - findings: how many findings they have shown.
  mutating func sentence(now: Double, schedules: Int, findings: Int) -> String? {
    guard !isTold, now - begin >= Self.patience else { return nil }
    isTold = true
    let counts = "\(schedules) schedule\(schedules == 1 ? "" : "s"), \(findings) finding\(findings == 1 ? "" : "s")"
    return "still exploring after \(Int(Self.patience)) seconds (\(counts) so far); "
      + "nothing bounds it: --max-seconds S ends it after S seconds, and says how far it came"
  }
}
