/// How a script uses the dictionaries of threads. A thread that reaches one is seen to touch it; so there is nothing hidden
/// as long as it looks something up in it, or puts something into it, at once and before its next step.
///
/// What is in a dictionary is looked at while the script runs: a table there could be kept and changed unseen.
struct DictionaryUses {
  /// Whether all uses are of a thread's own.
  private let areOwn: Bool
  private let hasMetatables: Bool

  /// The field of a thread.
  static let name = "dictionary"
  private static let words = "a thread's dictionary may be used by others"

  /// - Parameter files: the words of all texts of the script.
  init(in files: [[LuaToken]]) {
    areOwn = files.allSatisfy { tokens in
      tokens.indices.allSatisfy { !Self.isUse($0, tokens) || Self.isOwn($0, tokens) }
    }
    hasMetatables = files.contains { $0.contains { $0.kind == .name && $0.text == "setmetatable" } }
  }

  /// What is the matter with the use at a place; nil: nothing, or there is none.
  func what(at place: Int, _ tokens: [LuaToken]) -> String? {
    guard Self.isUse(place, tokens), !areOwn else { return nil }
    return !hasMetatables && Self.isAtOnce(place, tokens) ? nil : Self.words
  }

  /// `.dictionary`, or its name as a text.
  private static func isUse(_ place: Int, _ tokens: [LuaToken]) -> Bool {
    if tokens[place].string == name { return true }
    return tokens[place].text == "." && place + 1 < tokens.count && tokens[place + 1].text == name
  }

  private static func isOwn(_ place: Int, _ tokens: [LuaToken]) -> Bool {
    guard tokens[place].text == ".", place >= 3 else { return false }
    return zip(tokens[(place - 3)..<place], ["currentThread", "(", ")"]).allSatisfy { $0.text == $1 }
  }

  /// Whether one field of it is read, or is set to a value that no call gives, in which a step could be taken.
  private static func isAtOnce(_ place: Int, _ tokens: [LuaToken]) -> Bool {
    func text(_ place: Int) -> String { place < tokens.count ? tokens[place].text : "" }
    guard text(place) == "." else { return false }
    var next = place + 2
    switch text(next) {
    case ".": next += 2
    case "[" where text(next + 2) == "]": next += 3
    default: return false
    }
    // Several values are set at once: those before it or after it.
    while text(next) == "," {
      next += 1
      while next < tokens.count, tokens[next].kind == .name || [".", "[", "]"].contains(text(next)) { next += 1 }
    }
    return text(next) != "=" || isWithoutCalls(tokens[(next + 1)...])
  }

  /// Whether the values of an assignment are without calls, up to where the next statement begins.
  private static func isWithoutCalls(_ tokens: ArraySlice<LuaToken>) -> Bool {
    let constants: Set<String> = ["nil", "true", "false"]
    let operators: Set<String> = ["and", "or", "not"]
    var isAfterValue = false
    var open = 0
    var place = tokens.startIndex
    while place < tokens.endIndex {
      let token = tokens[place]
      place += 1
      switch (token.kind, token.text) {
      case (.keyword, "function"): return false
      case (.keyword, let word) where operators.contains(word): isAfterValue = false
      case (.keyword, let word) where !constants.contains(word): return true
      case (.other, _) where isAfterValue: return token.string == nil && token.text != "\"\""
      case (.keyword, _), (.name, _), (.other, _):
        if isAfterValue { return true }
        isAfterValue = true
      case (.symbol, "{"), (.symbol, ":"), (.symbol, "="): return false
      case (.symbol, "("):
        if isAfterValue {
          // Who the current thread is, is known without a step.
          guard tokens[place - 2].text == "currentThread", place < tokens.endIndex, tokens[place].text == ")" else {
            return false
          }
          place += 1
        } else {
          open += 1
        }
      case (.symbol, "["): (open, isAfterValue) = (open + 1, false)
      case (.symbol, ")"), (.symbol, "]"):
        if open == 0 { return true }
        (open, isAfterValue) = (open - 1, true)
      case (.symbol, ";"), (.symbol, "::"): return true
      case (.symbol, "..."): isAfterValue = true
      case (.symbol, _): isAfterValue = false
      }
    }
    return true
  }
}
