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

  /// Reads a script's remark, of lines that the script's header has checked.
  init(script: [UInt8]) {
    let lines = String(decoding: script, as: UTF8.self).split { $0.isNewline }
    self = lines.last { $0.hasPrefix(Self.mark) }.flatMap { Self.read(String($0)) } ?? .fit
  }

  /// Reads a line; nil when it is misspelt.
  private static func read(_ line: String) -> CompareRemark? {
    let text = line.dropFirst(mark.count).drop { $0 == " " }
    if text.hasPrefix("no,") { return .unfit(String(text.dropFirst(3).drop { $0 == " " })) }
    let parts = text.split(separator: ", ", maxSplits: 1)
    let words = parts.first?.split(separator: " ") ?? []
    guard parts.count == 2, words.count == 2, words[0] == "without" else { return nil }
    return .without(Set(words[1].split(separator: ",").map(String.init)), reason: String(parts[1]))
  }

  /// What is wrong with a line that is, or looks like, a remark; nil: nothing.
  static func mistake(in line: String) -> String? {
    guard line.hasPrefix(mark), let remark = read(line) else {
      return "a script that is not to be compared says so by '\(mark) no, REASON', one of which some events are not"
        + " by '\(mark) without CATEGORY,CATEGORY, REASON'"
    }
    guard case .without(let names, _) = remark, let name = names.sorted().first(where: { !compared.contains($0) })
    else {
      return nil
    }
    return "'\(name)' is none of the compared categories: \(compared.joined(separator: ", "))"
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
