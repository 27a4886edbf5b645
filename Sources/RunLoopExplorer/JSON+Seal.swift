/// Files that are read again end in a check sum of what is before it, so that one that was changed or damaged on its way
/// is not taken for what was written.
extension JSON {
  private static let mark = ",\"check\":\""
  private static let end = "\"}"
  private static let digits = 16

  /// The text of an object that has members, with one more: `check`.
  public var sealedText: String {
    let content = text.dropLast()
    return "\(content)\(Self.mark)\(Hexadecimal.text([Self.sum(content.utf8)]))\(Self.end)"
  }

  /// Whether bytes are what `sealedText` gave, with any white space after it.
  public static func isSealed(_ bytes: [UInt8]) -> Bool {
    let length = bytes.count - bytes.reversed().prefix { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.count
    let seal = bytes[..<length].suffix(mark.utf8.count + digits + end.utf8.count)
    let content = bytes[..<seal.startIndex]
    return seal.elementsEqual("\(mark)\(Hexadecimal.text([sum(content)]))\(end)".utf8)
  }

  private static func sum(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = FNVHash()
    hash.add(bytes)
    return hash.value
  }
}
