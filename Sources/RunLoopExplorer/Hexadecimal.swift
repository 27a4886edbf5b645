/// Numbers of 64 bits, 16 digits each, one after the other.
enum Hexadecimal {
  static func text(_ words: [UInt64]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(words.count * 16)
    for word in words {
      for shift in stride(from: UInt64(60), through: 0, by: -4) {
        let digit = UInt8(word >> shift & 15)
        bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func words(_ text: String?) -> [UInt64]? {
    guard let text, text.utf8.count % 16 == 0 else { return nil }
    var words: [UInt64] = []
    words.reserveCapacity(text.utf8.count / 16)
    var word: UInt64 = 0
    for (place, byte) in text.utf8.enumerated() {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x66: digit = byte - 0x57
      default: return nil
      }
      word = word << 4 | UInt64(digit)
      if place % 16 == 15 {
        words.append(word)
        word = 0
      }
    }
    return words
  }
}
