/// Two texts compared line by line, as `diff -u` shows it.
struct UnifiedDiff {
  /// Lines around a change.
  static let context = 3

  private let old: [String]
  private let new: [String]
  private let changes: [LineDiff.Change]

  /// Compares two texts.
  init(old: [UInt8], new: [UInt8]) {
    self.old = Self.lines(old)
    self.new = Self.lines(new)
    changes = LineDiff(self.old.map { $0[...].utf8 }, self.new.map { $0[...].utf8 }).changes
  }

  /// The first line that differs: its number in the old text, and the lines themselves; nil: that text is at its end.
  var first: (line: Int, old: String?, new: String?)? {
    guard let change = changes.first else { return nil }
    let oldLine = change.old.lowerBound < old.count ? old[change.old.lowerBound] : nil
    let newLine = change.new.lowerBound < new.count ? new[change.new.lowerBound] : nil
    return (change.old.lowerBound + 1, oldLine, newLine)
  }

  /// The diff's lines, without the file names.
  ///
  /// - Parameter limit: at most so many lines; one more says how much is left out.
  func lines(limit: Int = .max) -> [String] {
    var result: [String] = []
    for hunk in hunks {
      result.append(Self.heading(hunk))
      var x = hunk.old.lowerBound
      for change in hunk.changes {
        result += Self.marked(" ", old[x..<change.old.lowerBound])
        result += Self.marked("-", old[change.old])
        result += Self.marked("+", new[change.new])
        x = change.old.upperBound
      }
      result += Self.marked(" ", old[x..<hunk.old.upperBound])
      if result.count > limit { break }
    }
    guard result.count > limit else { return result }
    return Array(result.prefix(limit)) + ["... and more (\(changes.count) changed places in all)"]
  }

  // MARK: Pieces

  private struct Hunk {
    var old: Range<Int>
    var new: Range<Int>
    var changes: [LineDiff.Change]
  }

  /// Changes with their context; those whose contexts touch are one.
  private var hunks: [Hunk] {
    var hunks: [Hunk] = []
    for change in changes {
      let before = min(Self.context, change.old.lowerBound)
      let after = min(Self.context, old.count - change.old.upperBound)
      if let last = hunks.last, change.old.lowerBound - before <= last.old.upperBound {
        hunks[hunks.count - 1].old = last.old.lowerBound..<change.old.upperBound + after
        hunks[hunks.count - 1].new = last.new.lowerBound..<change.new.upperBound + after
        hunks[hunks.count - 1].changes.append(change)
      } else {
        hunks.append(
          Hunk(
            old: change.old.lowerBound - before..<change.old.upperBound + after,
            new: change.new.lowerBound - before..<change.new.upperBound + after, changes: [change]))
      }
    }
    return hunks
  }

  /// Lines with what they are, each an element: diff's own mark for a missing line break is one as well.
  private static func marked(_ mark: String, _ lines: ArraySlice<String>) -> [String] {
    // As bytes: "\r\n" is one character.
    lines.flatMap { line in
      (mark + line).utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// `@@ -1,4 +1,5 @@`; an empty range is told by the line before it, and a count of 1 is left out.
  private static func heading(_ hunk: Hunk) -> String {
    func range(_ range: Range<Int>) -> String {
      switch range.count {
      case 0: "\(range.lowerBound),0"
      case 1: "\(range.lowerBound + 1)"
      default: "\(range.lowerBound + 1),\(range.count)"
      }
    }
    return "@@ -\(range(hunk.old)) +\(range(hunk.new)) @@"
  }

  /// The lines of a text. A last one without a line break carries diff's own mark, and so differs from one with it.
  private static func lines(_ text: [UInt8]) -> [String] {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let unfinished = lines.removeLast()
    if !unfinished.isEmpty { lines.append(unfinished + "\n\\ No newline at end of file") }
    return lines
  }
}
