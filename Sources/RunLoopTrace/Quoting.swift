/// How many bytes the UTF-8 character at `index` has; 0 when there is none (semantics of RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF).
func utf8Length(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
  let first = bytes[index]
  if first < 0x80 { return 1 }
  let length: Int
  var low: UInt8 = 0x80
  var high: UInt8 = 0xBF
  switch first {
  case 0xC2...0xDF: length = 2
  case 0xE0: (length, low) = (3, 0xA0)
  case 0xED: (length, high) = (3, 0x9F)
  case 0xE1...0xEF: length = 3
  case 0xF0: (length, low) = (4, 0x90)
  case 0xF1...0xF3: length = 4
  case 0xF4: (length, high) = (4, 0x8F)
  default: return 0
  }
  guard index + length <= bytes.count, bytes[index + 1] >= low, bytes[index + 1] <= high else { return 0 }
  for place in 2..<max(length, 2) where bytes[index + place] & 0xC0 != 0x80 { return 0 }
  return length
}

/// Whether the character of `length` bytes at `index` is a control character (C0, DEL or C1).
@inline(__always)
func isControl(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, length: Int) -> Bool {
  let first = bytes[index]
  return first < 0x20 || first == 0x7F || (length == 2 && first == 0xC2 && bytes[index + 1] < 0xA0)
}

extension ByteBuffer {
  /// Appends a name or value: as it is, or as a Lua string literal when it is empty or has a space, a quote, a control
  /// character or bytes that are no UTF-8 (trace.md).
  @inline(__always)
  mutating func append(value bytes: UnsafeBufferPointer<UInt8>) {
    var plain = !bytes.isEmpty
    for byte in bytes where byte &- 0x21 > 0x5D || byte == UInt8(ascii: "\"") {
      plain = false
      break
    }
    if _fastPath(plain) { append(bytes) } else { append(unusualValue: bytes) }
  }

  @inline(never)
  private mutating func append(unusualValue bytes: UnsafeBufferPointer<UInt8>) {
    if Self.needsQuotes(bytes) {
      append(luaLiteral: bytes)
    } else {
      append(bytes)
    }
  }

  private static func needsQuotes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      let length = utf8Length(bytes, at: index)
      if length == 0 || isControl(bytes, at: index, length: length) { return true }
      if bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\"") { return true }
      index += length
    }
    return bytes.isEmpty
  }

  /// Makes the bytes from `start` on a Lua string literal if a value has to be one.
  mutating func quoteIfNeeded(from start: Int) {
    guard withBytes(from: start, { Self.needsQuotes($0) }) else { return }
    let bytes = withBytes(from: start) { Array($0) }
    truncate(to: start)
    bytes.withUnsafeBufferPointer { append(luaLiteral: $0) }
  }

  /// Appends a Lua string literal in double quotes, which Lua reads back to the same bytes.
  mutating func append(luaLiteral bytes: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    append(escaping: bytes, quotes: true)
    append(UInt8(ascii: "\""))
  }

  /// Appends a text as it is, but for control characters and bytes that are no UTF-8, so that it stays on its line.
  mutating func append(line bytes: UnsafeBufferPointer<UInt8>) { append(escaping: bytes, quotes: false) }

  private mutating func append(escaping bytes: UnsafeBufferPointer<UInt8>, quotes: Bool) {
    var index = 0
    while index < bytes.count {
      let plain = Self.plainBytes(bytes, from: index, quotes: quotes)
      if plain > index {
        append(UnsafeBufferPointer(rebasing: bytes[index..<plain]))
        index = plain
        continue
      }
      let length = utf8Length(bytes, at: index)
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") {
        append("\\n")
        index += 1
      } else if quotes && (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")) {
        append(UInt8(ascii: "\\"))
        append(byte)
        index += 1
      } else if length == 0 || isControl(bytes, at: index, length: length) {
        for place in index..<index + max(length, 1) { append(numericEscape: bytes[place]) }
        index += max(length, 1)
      } else {
        append(UnsafeBufferPointer(rebasing: bytes[index..<index + length]))
        index += length
      }
    }
  }

  /// Where the printable ASCII characters end that begin at `index` and stand for themselves.
  private static func plainBytes(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int, quotes: Bool) -> Int {
    var end = index
    while end < bytes.count, bytes[end] &- 0x20 < 0x5F {
      if quotes && (bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "\\")) { break }
      end += 1
    }
    return end
  }

  /// `\ddd`, always with three digits, so that a digit may follow.
  private mutating func append(numericEscape byte: UInt8) {
    append(UInt8(ascii: "\\"))
    append(UInt8(ascii: "0") + byte / 100)
    append(UInt8(ascii: "0") + byte / 10 % 10)
    append(UInt8(ascii: "0") + byte % 10)
  }
}
