import RunLoopTrace

/// What to write in place of a `--filter` that matches nothing.
struct FilterAdvice {
  private let names: [String]

  /// - Parameter names: of the tests that there are, one at least.
  init(_ names: [String]) { self.names = names }

  /// What is said of filters none of which matches.
  func sentence(_ filters: [String]) -> String {
    let words = filters.map { "'\(Shown.name($0))'" }.joined(separator: ", ")
    let start = "no script's name matches --filter \(words)"
    var offers: [String] = []
    for pattern in filters.flatMap(patterns) where !offers.contains(pattern) { offers.append(pattern) }
    if offers.isEmpty { return start + " ('rlsim test --list' tells the names, such as '\(Shown.name(names[0]))')" }
    let shown = offers.prefix(3).map { pattern in
      let count = names.count { TestDiscovery.matches($0, pattern) }
      return "\(shellCommand(["--filter", pattern])) (\(count) script\(count == 1 ? "" : "s"))"
    }
    return "\(start); did you mean \(shown.joined(separator: " or "))?"
  }

  /// Patterns like a filter that match something: all of a folder, all that have it in their name, and what is spelt
  /// nearly so.
  private func patterns(_ filter: String) -> [String] {
    let word = filter.split(separator: "*", omittingEmptySubsequences: true).joined(separator: "*")
      .trimmed(of: "/").droppingSuffix(".lua")
    guard !word.isEmpty, word.utf8.count <= 200 else { return [] }
    let wider = ["\(word)/*", "*\(word)*"].filter { pattern in names.contains { TestDiscovery.matches($0, pattern) } }
    if !wider.isEmpty { return wider }
    if let folder = nearest(to: word, among: folders) { return ["\(folder)/*"] }
    let lasts = names.map(\.baseName)
    return nearest(to: word, among: names + lasts).map { [$0] } ?? []
  }

  /// The folders that tests are in.
  private var folders: [String] {
    var found: [String] = []
    for name in names {
      let parts = name.split(separator: "/")
      for count in 1..<max(parts.count, 1) {
        let folder = parts[..<count].joined(separator: "/")
        if !found.contains(folder) { found.append(folder) }
      }
    }
    return found
  }
}

extension String {
  fileprivate func trimmed(of character: Character) -> String {
    var rest = self[...]
    while rest.first == character { rest.removeFirst() }
    while rest.last == character { rest.removeLast() }
    return String(rest)
  }

  fileprivate func droppingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
