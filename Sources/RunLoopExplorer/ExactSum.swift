/// A sum of numbers of at least 0 that does not depend on their order, so that many processes come to what one does.
///
/// It is kept in fixed point, 128 bits.
struct ExactSum: Equatable, Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0
  /// Something was added that is beyond counting.
  private(set) var isInfinite = false
  /// How many of the bits are behind the point.
  private let fraction: Int

  /// A sum of whole numbers.
  static var ofCounts: ExactSum { ExactSum(fraction: 0) }
  /// A sum of chances; what is below 2^-112 is lost.
  static var ofChances: ExactSum { ExactSum(fraction: 112) }

  private init(fraction: Int) { self.fraction = fraction }

  mutating func add(_ value: Double) {
    let scaled = value * Self.power(fraction)
    // Below 0 is nothing that is counted: a report says so that was damaged.
    guard scaled >= 0, scaled < Self.power(127) else {
      isInfinite = true
      return
    }
    let upper = (scaled * Self.power(-64)).rounded(.down)
    add(UInt64(upper), UInt64(scaled - upper * Self.power(64)))
  }

  mutating func add(_ other: ExactSum) {
    isInfinite = isInfinite || other.isInfinite
    add(other.high, other.low)
  }

  private mutating func add(_ high: UInt64, _ low: UInt64) {
    let (lower, carry) = self.low.addingReportingOverflow(low)
    let (upper, overflow) = self.high.addingReportingOverflow(high)
    let (sum, carryOverflow) = upper.addingReportingOverflow(carry ? 1 : 0)
    self.low = lower
    self.high = sum
    if overflow || carryOverflow { isInfinite = true }
  }

  /// The sum as a number; infinite when it is beyond counting.
  var value: Double {
    isInfinite ? .infinity : (Double(high) * Self.power(64) + Double(low)) * Self.power(-fraction)
  }

  private static func power(_ exponent: Int) -> Double { Double(sign: .plus, exponent: exponent, significand: 1) }

  // MARK: As text

  var json: JSON { isInfinite ? .null : .string("\(String(high, radix: 16)).\(String(low, radix: 16))") }

  /// Takes what `json` gave; false when it is something else.
  mutating func read(_ json: JSON?) -> Bool {
    if json == .null {
      isInfinite = true
      return true
    }
    guard let parts = json?.string?.split(separator: "."), parts.count == 2, let high = UInt64(parts[0], radix: 16),
      let low = UInt64(parts[1], radix: 16)
    else { return false }
    self.high = high
    self.low = low
    return true
  }
}
