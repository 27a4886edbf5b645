/// The candidate that is spelt most like `word`, if any is near enough to have been meant. Of several that are equally
/// near the first one is taken.
///
/// - Complexity: O(candidates · length²).
public func nearest(to word: String, among candidates: [String]) -> String? {
  var best: (distance: Int, candidate: String)?
  let typed = Array(word.lowercased().utf8)
  for candidate in candidates {
    let distance = editDistance(typed, Array(candidate.lowercased().utf8))
    if distance < best?.distance ?? .max { best = (distance, candidate) }
  }
  guard let best else { return nil }
  let allowed = max(1, min(typed.count, best.candidate.utf8.count) / 3 + 1)
  return best.distance <= allowed && best.distance < best.candidate.utf8.count ? best.candidate : nil
}

/// How many insertions, removals, changes and swaps of neighbours lead from one word to the other.
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, beforeLast[j - 1] + 1) }
      row.append(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
