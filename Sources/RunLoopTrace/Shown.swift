/// Text in messages for people. What comes from a script, a path or a command line may hold anything: what a terminal
/// would take for commands is written as in the trace, and the middle of what is too long is left out.
public enum Shown {
  /// Bytes of a name that are kept at its beginning and its end when it is too long; the same as in `shown.c`.
  private static let (nameHead, nameTail) = (40, 20)
  /// The same for the lines of a message.
  private static let (lineHead, lineTail) = (3_000, 1_000)

  /// A name inside of a message: on one line, and short.
  public static func name(_ name: String) -> String { line(cut(name, nameHead, nameTail)) }

  /// A text that is to stay on its line.
  public static func line(_ text: String) -> String {
    if isPlain(text) { return text }
    var text = text
    return text.withUTF8 { bytes in
      var shown = ByteBuffer()
      shown.append(line: bytes)
      return shown.text()
    }
  }

  /// A message as it is written: its line breaks and tabs stay.
  public static func message(_ text: String) -> String {
    if isPlain(text), text.utf8.count <= lineHead + lineTail { return text }
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let parts = cut(String(line), lineHead, lineTail).split(separator: "\t", omittingEmptySubsequences: false)
      lines.append(parts.map { self.line(String($0)) }.joined(separator: "\t"))
    }
    return lines.joined(separator: "\n")
  }

  /// Both ends of a text that is too long.
  private static func cut(_ text: String, _ head: Int, _ tail: Int) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count > head + tail + 3 else { return text }
    var end = head
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    var start = bytes.count - tail
    while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "…" + String(decoding: bytes[start...], as: UTF8.self)
  }

  /// Whether nothing of it has to be written in another way.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }
}
