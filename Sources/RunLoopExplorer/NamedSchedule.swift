/// One interleaving as readable decisions: for each step the thread, and what it was about to do.
///
/// `main:lock_a worker:get_x/1`: separated by spaces; a space in a name is written `_`, and what follows a slash is the way
/// that the step went, where it was not the usual one.
public struct NamedSchedule: Equatable, Sendable {
  public struct Decision: Equatable, Sendable {
    public var thread: String
    public var operation: String
    public var alternative: UInt32
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
      text += " \(Self.escape(decision.thread)):\(Self.escape(decision.operation))"
      if decision.alternative > 0 { text += "/\(decision.alternative)" }
    }
    return text
  }

  /// Whether a text is meant as one of these.
  public static func isNamed(_ text: String) -> Bool {
    text.drop { $0.isWhitespace }.hasPrefix(prefix)
  }

  public init(text: String) throws(Schedule.Unreadable) {
    var words = text.split { $0.isWhitespace }.map(String.init)
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
        decisions.append(
          Decision(
            thread: Self.unescape(word[..<colon]), operation: Self.unescape(operation), alternative: alternative))
      } else {
        throw Schedule.Unreadable(message: "'\(word)' is no decision of a schedule (THREAD:OPERATION)")
      }
    }
  }

  private static let special: [(Character, String)] = [
    ("%", "%25"), ("_", "%5F"), (":", "%3A"), ("/", "%2F"), ("\t", "%09"), ("\n", "%0A"), (" ", "_"),
  ]

  private static func escape(_ text: String) -> String {
    text.map { character in special.first { $0.0 == character }?.1 ?? String(character) }.joined()
  }

  private static func unescape(_ text: some StringProtocol) -> String {
    var result = ""
    var rest = text[...]
    while let character = rest.first {
      if character == "%", let match = special.first(where: { rest.hasPrefix($0.1) }) {
        result.append(match.0)
        rest = rest.dropFirst(3)
      } else {
        result.append(character == "_" ? " " : character)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
