/// One interleaving as readable decisions: for each step the thread, and what it was about to do.
///
/// `main:lock_a worker:get_x/1`: separated by spaces; a space in a name is written `_`, and what follows a slash is the way
/// that the step went, where it was not the usual one. A thread whose name others have too is `worker#3`: the third in the
/// order in which threads were made.
public struct NamedSchedule: Equatable, Sendable {
  public struct Decision: Equatable, Sendable {
    public var thread: String
    /// Which thread it is, counted from 1 in the order in which they were made; nil: the only one of that name.
    public var number: Int32?
    public var operation: String
    public var alternative: UInt32

    public init(thread: String, number: Int32? = nil, operation: String, alternative: UInt32) {
      self.thread = thread
      self.number = number
      self.operation = operation
      self.alternative = alternative
    }

    /// The thread in words.
    var who: String { thread + (number.map { "#\($0)" } ?? "") }
  }

  public var decisions: [Decision]
  public var settings: Schedule.Settings

  private static let prefix = "rls1-named"

  public init(decisions: [Decision], settings: Schedule.Settings) {
    self.decisions = decisions
    self.settings = settings
  }

  public var text: String {
    var text = Self.prefix
    if settings.timeIsFree { text += " time=free" }
    if settings.isUnfair { text += " unfair" }
    if settings.spuriousWakeups > 0 { text += " spurious=\(settings.spuriousWakeups)" }
    for decision in decisions {
      text +=
        " \(Self.escape(decision.thread))\(decision.number.map { "#\($0)" } ?? ""):\(Self.escape(decision.operation))"
      if decision.alternative > 0 { text += "/\(decision.alternative)" }
    }
    return text
  }

  /// Whether a text is meant as one of these.
  public static func isNamed(_ text: String) -> Bool {
    text.drop { $0.isWhitespace }.hasPrefix(prefix)
  }

  public init(text: String) throws(Schedule.Unreadable) {
    var words = text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
    guard words.first == Self.prefix else {
      throw Schedule.Unreadable(message: "this is no schedule: it does not begin with '\(Self.prefix)'")
    }
    words.removeFirst()
    decisions = []
    settings = Schedule.Settings()
    for word in words {
      if word == "time=free" {
        settings.timeIsFree = true
      } else if word == "unfair" {
        settings.isUnfair = true
      } else if word.hasPrefix("spurious="), let count = Int(word.dropFirst(9)), count >= 0 {
        settings.spuriousWakeups = count
      } else if let colon = word.firstIndex(of: ":") {
        var operation = word[word.index(after: colon)...]
        var alternative: UInt32 = 0
        if let slash = operation.lastIndex(of: "/"), let number = UInt32(operation[operation.index(after: slash)...]) {
          guard number <= 255 else {
            throw Schedule.Unreadable(message: "'\(word)': a step goes in fewer ways than \(number)")
          }
          alternative = number
          operation = operation[..<slash]
        }
        var thread = word[..<colon]
        var which: Int32?
        if let mark = thread.lastIndex(of: "#"), let number = Int32(thread[thread.index(after: mark)...]), number > 0 {
          which = number
          thread = thread[..<mark]
        }
        decisions.append(
          Decision(
            thread: Self.unescape(thread), number: which, operation: Self.unescape(operation), alternative: alternative)
        )
      } else {
        throw Schedule.Unreadable(message: "'\(word)' is no decision of a schedule (THREAD:OPERATION)")
      }
    }
  }

  private static let special: Set<UInt8> = [0x25, 0x5F, 0x3A, 0x2F, 0x23]

  /// What separates decisions, or parts of one, is written by its bytes; but a space, which is the most frequent, as `_`.
  private static func escape(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == " " {
        result.append("_")
      } else if scalar.properties.isWhitespace || scalar.isASCII && special.contains(UInt8(scalar.value)) {
        for byte in String(scalar).utf8 {
          let digits = String(byte, radix: 16, uppercase: true)
          result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func unescape(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == 0x25, digits.count == 2, let escaped = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
        bytes.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == 0x5F ? 0x20 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
