/// A sum over the events of a trace, in any order, of a number made from each: 128 bits, so that two traces do not meet.
struct TraceHash: Hashable, BitwiseCopyable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init() {}

  /// From the two words that `words` gave.
  init(_ words: [UInt64]) {
    low = words[0]
    high = words[1]
  }

  var words: [UInt64] { [low, high] }
  /// A part of it that is as good as random.
  var spread: UInt64 { low }

  static func < (a: TraceHash, b: TraceHash) -> Bool { (a.low, a.high) < (b.low, b.high) }

  mutating func add(_ mixer: Mixer) {
    low &+= mixer.low
    high &+= mixer.high
  }

  struct Mixer {
    fileprivate var low: UInt64 = 0x9E37_79B9_7F4A_7C15
    fileprivate var high: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    @inline(__always)
    mutating func mix(_ value: UInt64) {
      low = TraceHash.scramble(low ^ value)
      high = TraceHash.scramble(high &+ value &* 0xD6E8_FEB8_6659_FD93)
    }
  }

  @inline(__always)
  static func scramble(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
