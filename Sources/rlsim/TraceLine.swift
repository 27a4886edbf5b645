/// A line of a text trace, taken apart for a comparison.
struct TraceLine: Sendable {
  /// Nanoseconds.
  let time: Int64
  let thread: String
  let event: Substring
  /// What stands after the thread's name.
  let text: Substring
  /// The same without what differs between a simulation and a live run that do the same.
  let essence: String

  /// Keys that hold times, and what only one of the two knows.
  private static let measured = ["seconds=", "scheduled=", "late=", "wake=", "ignored="]

  /// Reads a line; nil for the header.
  init?(_ line: Substring) {
    guard let space = line.firstIndex(of: " "), let time = Self.nanoseconds(line[..<space]) else { return nil }
    self.time = time
    let (thread, rest) = Self.name(line[line.index(after: space)...])
    self.thread = thread
    text = rest
    event = rest.prefix { $0 != " " }
    if event == "log" {
      essence = String(rest)
    } else {
      essence = rest.split(separator: " ").filter { word in !Self.measured.contains { word.hasPrefix($0) } }
        .joined(separator: " ")
    }
  }

  /// All lines of a trace, without its header.
  static func read(_ trace: [UInt8]) -> [TraceLine] {
    String(decoding: trace, as: UTF8.self).split(separator: "\n").compactMap { TraceLine($0) }
  }

  /// The value of a key.
  func value(_ key: String) -> Substring? {
    text.split(separator: " ").first { $0.hasPrefix(key + "=") }?.dropFirst(key.count + 1)
  }

  /// Whether the two say the same. Numbers in a log are perhaps times: they may differ by a little.
  ///
  /// - Parameter tolerance: nanoseconds.
  func says(sameAs other: TraceLine, within tolerance: Int64) -> Bool {
    if essence == other.essence { return true }
    guard event == "log", other.event == "log" else { return false }
    let words = essence.split(separator: " ")
    let others = other.essence.split(separator: " ")
    return words.count == others.count
      && zip(words, others).allSatisfy { a, b in
        if a == b { return true }
        guard a.contains("."), let a = Double(a), let b = Double(b) else { return false }
        return abs(a - b) * 1e9 <= Double(tolerance)
      }
  }

  /// `12.000000001` as nanoseconds, which is what the digits say without the point; nil: it is no time of a trace, or
  /// later than any.
  private static func nanoseconds(_ text: Substring) -> Int64? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].count == 9,
      parts.joined().allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
    else { return nil }
    return Int64(String(decoding: Array(parts.joined()), as: UTF8.self))
  }

  /// The name at a text's beginning, which may be a quoted one, and what follows it.
  private static func name(_ text: Substring) -> (String, Substring) {
    guard text.first == "\"" else {
      let name = text.prefix { $0 != " " }
      return (String(name), text[name.endIndex...].dropFirst())
    }
    var end = text.index(after: text.startIndex)
    while end < text.endIndex, text[end] != "\"" {
      if text[end] == "\\" { end = text.index(after: end) }
      if end < text.endIndex { end = text.index(after: end) }
    }
    let after = end < text.endIndex ? text.index(after: end) : end
    return (String(text[..<after]), text[after...].dropFirst())
  }
}
