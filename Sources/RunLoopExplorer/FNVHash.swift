/// FNV-1a: numbers for texts that are the same wherever they are worked out. A slip of one letter anywhere changes them.
struct FNVHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }

  /// Both halves in one.
  var folded: UInt32 { UInt32(truncatingIfNeeded: value ^ value >> 32) }

  /// A check sum of 24 bits, for texts of a few letters.
  static func short(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return (hash ^ hash >> 24) & 0xFF_FFFF
  }
}
