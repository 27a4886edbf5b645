extension ByteBuffer {
  /// Appends a JSON string (RFC 8259). Bytes that are no UTF-8 become U+FFFD, for JSON has no other way.
  public mutating func append(jsonString bytes: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\r"): append("\\r")
      case UInt8(ascii: "\t"): append("\\t")
      case 0..<0x20, 0x7F: append(jsonEscape: byte)
      case 0x20..<0x80: append(byte)
      default:
        let length = utf8Length(bytes, at: index)
        if length == 0 {
          append("\\uFFFD")
        } else {
          append(UnsafeBufferPointer(rebasing: bytes[index..<index + length]))
          index += length - 1
        }
      }
      index += 1
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends a JSON string.
  public mutating func append(jsonString text: String) {
    var text = text
    text.withUTF8 { append(jsonString: $0) }
  }

  /// `\u00XX`.
  private mutating func append(jsonEscape byte: UInt8) {
    append("\\u00")
    append(hexDigit: byte >> 4)
    append(hexDigit: byte & 15)
  }

  private mutating func append(hexDigit digit: UInt8) {
    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
  }
}
