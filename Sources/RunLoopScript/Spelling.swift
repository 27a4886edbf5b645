import RunLoopTrace

/// Finds what a misspelt name was meant to be.
enum Spelling {
  /// The error for a name that is none of a few: with the nearest one, or all of them.
  static func unknown(_ what: String, _ word: String, among candidates: [String]) -> APIError {
    let near = nearest(to: word, among: candidates)
    let word = Shown.name(word)
    if let near {
      return APIError("unknown \(what) '\(word)'; did you mean '\(near)'?")
    }
    let all = candidates.map { "'\($0)'" }.joined(separator: ", ")
    return APIError("unknown \(what) '\(word)'; it is one of \(all)")
  }

  /// Whether two different words differ by one letter: missing, additional, changed, or exchanged with its neighbour.
  static func differByOne(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    var start = 0
    while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
    var (endA, endB) = (a.count, b.count)
    while endA > start, endB > start, a[endA - 1] == b[endB - 1] { (endA, endB) = (endA - 1, endB - 1) }
    switch (endA - start, endB - start) {
    case (0, 1), (1, 0), (1, 1): return true
    case (2, 2): return a[start] == b[start + 1] && a[start + 1] == b[start]
    default: return false
    }
  }
}
