extension JSON {
  /// Reads a text that is one value.
  public init(_ bytes: [UInt8]) throws(Malformed) {
    var reader = JSONReader(bytes: bytes)
    self = try reader.value(depth: 0)
    try reader.end()
  }
}

/// Reads JSON (RFC 8259) from bytes.
private struct JSONReader {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Deeper values are refused: they would be no report, and take the stack.
  private static let maximumDepth = 4_000

  private func failure(_ what: String) -> JSON.Malformed {
    let line = 1 + bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    return JSON.Malformed(message: "line \(line): \(what)")
  }

  private mutating func skipSpace() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private func next() throws(JSON.Malformed) -> UInt8 {
    guard place < bytes.count else { throw failure("the text ends too early") }
    return bytes[place]
  }

  private mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: letter) else { return false }
    place += 1
    return true
  }

  mutating func end() throws(JSON.Malformed) {
    skipSpace()
    if place < bytes.count { throw failure("something follows the value") }
  }

  mutating func value(depth: Int) throws(JSON.Malformed) -> JSON {
    guard depth < Self.maximumDepth else { throw failure("the values are nested too deep") }
    skipSpace()
    switch try next() {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ text: String, _ value: JSON) throws(JSON.Malformed) -> JSON {
    guard bytes[place...].starts(with: text.utf8) else { throw failure("no such word") }
    place += text.utf8.count
    return value
  }

  private mutating func object(_ depth: Int) throws(JSON.Malformed) -> JSON {
    place += 1
    var members: [JSON.Member] = []
    skipSpace()
    if take("}") { return .object([]) }
    while true {
      skipSpace()
      guard try next() == UInt8(ascii: "\"") else { throw failure("a name in quotation marks is missing") }
      let name = try string()
      skipSpace()
      guard take(":") else { throw failure("a colon is missing") }
      members.append(JSON.Member(name, try value(depth: depth + 1)))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw failure("a comma or a closing brace is missing") }
    }
  }

  private mutating func array(_ depth: Int) throws(JSON.Malformed) -> JSON {
    place += 1
    var values: [JSON] = []
    skipSpace()
    if take("]") { return .array([]) }
    while true {
      values.append(try value(depth: depth + 1))
      skipSpace()
      if take("]") { return .array(values) }
      guard take(",") else { throw failure("a comma or a closing bracket is missing") }
    }
  }

  private mutating func number() throws(JSON.Malformed) -> JSON {
    let start = place
    while place < bytes.count, isOfNumber(bytes[place]) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if let whole = Int(text) { return .integer(whole) }
    guard let number = Double(text), number.isFinite else { throw failure("a value is missing") }
    return .number(number)
  }

  private func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func string() throws(JSON.Malformed) -> String {
    place += 1
    var result: [UInt8] = []
    while true {
      let byte = try next()
      place += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: result, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { try escape(&result) } else { result.append(byte) }
    }
  }

  private mutating func escape(_ result: inout [UInt8]) throws(JSON.Malformed) {
    let letter = try next()
    place += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(letter)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "u"):
      var unit = try codeUnit()
      if 0xD800..<0xDC00 ~= unit, take("\\"), take("u") {
        let low = try codeUnit()
        unit = 0x10000 + (unit - 0xD800) << 10 + (low &- 0xDC00) & 0x3FF
      }
      result += String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8
    default: throw failure("no such escape")
    }
  }

  private mutating func codeUnit() throws(JSON.Malformed) -> UInt32 {
    guard place + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits are missing") }
    place += 4
    return unit
  }
}
