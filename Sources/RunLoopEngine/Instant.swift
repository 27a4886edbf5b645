/// Virtual time in nanoseconds since the start of the run.
public typealias Nanoseconds = Int64

extension Nanoseconds {
  /// A moment that never comes (semantics 1). About 292 years from the start; later dates mean this one.
  public static let distantFuture: Nanoseconds = .max

  /// A moment before every other.
  public static let distantPast: Nanoseconds = .min

  /// Rounds seconds to the nearest nanosecond, once, at the border (semantics 1).
  ///
  /// - Parameter seconds: any number but NaN; out of range means `distantFuture` or `distantPast`.
  public init(seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded(.toNearestOrAwayFromZero)
    if nanoseconds >= 9.223_372_036_854_775e18 {
      self = .distantFuture
    } else if nanoseconds <= -9.223_372_036_854_775e18 {
      self = .distantPast
    } else {
      self = Int64(nanoseconds)
    }
  }

  /// Seconds, for a script; the distant dates are infinities.
  public var seconds: Double {
    if self == .distantFuture { return .infinity }
    if self == .distantPast { return -.infinity }
    return Double(self) / 1e9
  }

  /// Seconds with nine decimals, as in the trace.
  public var traceText: String {
    if self == .distantFuture { return "distantFuture" }
    let fraction = String(magnitude % 1_000_000_000 + 1_000_000_000).dropFirst()
    return "\(self < 0 ? "-" : "")\(magnitude / 1_000_000_000).\(fraction)"
  }

  /// This date later by a duration, held at the distant dates instead of overflowing; a duration without an end leads to
  /// them from everywhere.
  package func saturatingAdd(_ duration: Nanoseconds) -> Nanoseconds {
    let (sum, overflow) = addingReportingOverflow(duration)
    if overflow { return duration > 0 ? .distantFuture : .distantPast }
    return duration == .distantPast ? duration : sum
  }
}

/// A moment finer than a nanosecond (semantics 1): a date that something is scheduled for has tick 0; "now", read by
/// any operation, has tick 1 or more, so it is always a little later than a date that has just come due.
public struct Instant: Comparable, Hashable, Sendable {
  /// Nanoseconds since the start of the run.
  public var nanoseconds: Nanoseconds
  /// How many operations were done at this nanosecond.
  public var tick: UInt32

  /// A date that something is scheduled for.
  public init(_ nanoseconds: Nanoseconds, tick: UInt32 = 0) {
    self.nanoseconds = nanoseconds
    self.tick = tick
  }

  /// Never.
  public static let distantFuture = Instant(.distantFuture)

  @inline(__always)
  public static func < (a: Instant, b: Instant) -> Bool {
    a.nanoseconds < b.nanoseconds || (a.nanoseconds == b.nanoseconds && a.tick < b.tick)
  }
}
