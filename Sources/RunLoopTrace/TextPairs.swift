/// A text of keys and values, as faults carry it: `thread=main waits="join:my worker"`.
struct TextPairs {
  private(set) var pairs: [(key: String, value: [UInt8])] = []

  /// Keys that every event has.
  static let taken: Set<String> = ["t", "thread", "event", "category", "subject", "reason", "text"]

  /// Reads a text; nil when it is anything else, or has a key twice.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let equals = rest.firstIndex(of: UInt8(ascii: "=")), equals > rest.startIndex else { return nil }
      let key = rest[..<equals]
      guard key.allSatisfy({ ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }) else { return nil }
      rest = rest[(equals + 1)...]
      guard let value = Self.takeValue(&rest) else { return nil }
      let name = String(decoding: key, as: UTF8.self)
      guard !pairs.contains(where: { $0.key == name }) else { return nil }
      pairs.append((name, value))
      guard rest.isEmpty || rest.removeFirst() == UInt8(ascii: " ") else { return nil }
    }
  }

  /// Takes a value: up to a space, or a Lua string literal.
  private static func takeValue(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
    guard rest.first == UInt8(ascii: "\"") else {
      let value = rest.prefix { $0 != UInt8(ascii: " ") }
      rest = rest[value.endIndex...]
      return Array(value)
    }
    rest.removeFirst()
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return value }
      if byte != UInt8(ascii: "\\") {
        value.append(byte)
      } else if rest.first == UInt8(ascii: "n") {
        rest.removeFirst()
        value.append(UInt8(ascii: "\n"))
      } else if rest.count >= 3, let number = UInt8(String(decoding: rest.prefix(3), as: UTF8.self)) {
        rest.removeFirst(3)
        value.append(number)
      } else if let escaped = rest.popFirst() {
        value.append(escaped)
      }
    }
    return nil
  }
}
