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
    if isPlain(text) { return text }
    return eachLine(text) { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      return parts.map { self.line(String($0)) }.joined(separator: "\t")
    }
  }

  /// What a script or a user has said, of any length, with both ends of lines that are too long. (A command to be
  /// repeated, or a schedule, stays whole.)
  public static func saying(_ text: String) -> String {
    text.utf8.count <= lineHead + lineTail ? text : eachLine(text) { cut(String($0), lineHead, lineTail) }
  }

  private static func eachLine(_ text: String, _ change: (Substring) -> String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(change).joined(separator: "\n")
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
