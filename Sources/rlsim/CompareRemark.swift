import RunLoopEngine
import RunLoopTrace

/// What a script says of its comparison with live runs, in a line of its own.
enum CompareRemark: Equatable {
  /// Nothing: all that is traced has one right order.
  case fit
  /// `--! compare: without lock,thread, REASON`: of these categories the events have none.
  case without(Set<String>, reason: String)
  /// `--! compare: no, REASON`.
  case unfit(String)

  private static let mark = "--! compare:"
  private static let compared = [
    "thread", "run", "activity", "observer", "timer", "source", "port", "block", "loop", "lock", "memory",
    "notification",
    "log",
  ]

  /// Reads a script's remark.
  ///
  /// - Throws: what is wrong with it.
  init(script: [UInt8]) throws(UsageError) {
    let lines = String(decoding: script, as: UTF8.self).split(separator: "\n")
    guard let line = lines.last(where: { $0.hasPrefix(Self.mark) }) else {
      self = .fit
      return
    }
    let text = line.dropFirst(Self.mark.count).drop { $0 == " " }
    let parts = text.split(separator: ", ", maxSplits: 1)
    guard parts.count == 2 else { throw Self.misspelt(line) }
    if parts[0] == "no" {
      self = .unfit(String(parts[1]))
      return
    }
    let words = parts[0].split(separator: " ")
    guard words.count == 2, words[0] == "without" else { throw Self.misspelt(line) }
    let names = words[1].split(separator: ",").map(String.init)
    for name in names where !Self.compared.contains(name) {
      throw UsageError(
        "'\(line)': '\(name)' is none of the compared categories: \(Self.compared.joined(separator: ", "))")
    }
    self = .without(Set(names), reason: String(parts[1]))
  }

  private static func misspelt(_ line: Substring) -> UsageError {
    UsageError("'\(line)' is neither '\(mark) no, REASON' nor '\(mark) without CATEGORY,CATEGORY, REASON'")
  }

  /// The categories whose events are compared, for `--show`.
  var categories: String {
    guard case .without(let left, _) = self else { return Self.compared.joined(separator: ",") }
    return Self.compared.filter { !left.contains($0) }.joined(separator: ",")
  }

  /// What is added to a comparison's summary.
  var addition: String {
    guard case .without(let left, let reason) = self else { return "" }
    return "; without \(left.sorted().joined(separator: ", ")): \(reason)"
  }
}
