/// Bytes as letters and digits that survive copying by hand: Crockford's alphabet, in which o is 0, and i and l are 1.
enum Base32 {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

  struct BadCharacter: Error {
    var character: Character
  }

  static func encode(_ bytes: [UInt8]) -> String {
    var text = ""
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(alphabet[Int(bits >> count & 31)])
      }
      bits &= (1 << count) - 1
    }
    if count > 0 { text.append(alphabet[Int(bits << (5 - count) & 31)]) }
    return text
  }

  static func decode(_ text: some StringProtocol) throws(BadCharacter) -> [UInt8] {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for character in text {
      bits = bits << 5 | UInt32(try value(of: character))
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        bits &= (1 << count) - 1
      }
    }
    // What is left of the last letter is nothing.
    if bits & ((1 << count) - 1) != 0, let last = text.last { throw BadCharacter(character: last) }
    return bytes
  }

  private static func value(of character: Character) throws(BadCharacter) -> Int {
    switch character.lowercased() {
    case "o": return 0
    case "i", "l": return 1
    default:
      guard let value = alphabet.firstIndex(of: Character(character.lowercased())) else {
        throw BadCharacter(character: character)
      }
      return value
    }
  }
}
