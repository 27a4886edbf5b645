extension PlainVariables {
  /// So many are named one by one.
  private static let most = 3

  /// What plain variables that threads may share lead to.
  ///
  /// - Parameter found: at least one.
  static func sentence(of found: [Found]) -> String {
    var names = found.prefix(most).map(\.words)
    let others = found.count - names.count
    if others > 0 { names.append(others == 1 ? "1 other" : "\(others) others") }
    let last = names.removeLast()
    let list = names.isEmpty ? last : "\(names.joined(separator: ", ")) and \(last)"
    let it = found.count == 1 ? "it" : "them"
    return "threads may share \(list): so every interleaving of the steps is taken, and races on \(it) are not seen; "
      + "rl.shared would make \(it) visible"
  }
}

extension PlainVariables.Found {
  /// What it is, and both places.
  fileprivate var words: String {
    if name.isEmpty { return "a table (written at \(written), used at \(used))" }
    let what = isContents ? "the table in the plain Lua variable" : "the plain Lua variable"
    return "\(what) '\(name)' (written at \(written), used at \(used))"
  }
}
