/// Two traces in two columns, only where they differ.
struct SideBySide {
  let leftTitle: String
  let rightTitle: String
  private let left: [Substring]
  private let right: [Substring]
  private let changes: [LineDiff.Change]

  private static let context = 2
  private static let widest = 76

  init(_ left: [UInt8], _ right: [UInt8]) {
    (leftTitle, self.left) = Self.split(left)
    (rightTitle, self.right) = Self.split(right)
    changes = LineDiff(self.left.map(\.utf8), self.right.map(\.utf8)).changes
  }

  /// The profile that a trace's header names, and the lines after it.
  private static func split(_ trace: [UInt8]) -> (String, [Substring]) {
    var lines = String(decoding: trace, as: UTF8.self).split(separator: "\n")
    guard let header = lines.first, header.hasPrefix("rlsim-trace") else { return ("?", lines) }
    lines.removeFirst()
    let profile = header.split(separator: " ").first { $0.hasPrefix("semantics=") }
    return (profile.map { String($0.dropFirst("semantics=".count)) } ?? "?", lines)
  }

  var differ: Bool { !changes.isEmpty }

  /// The columns.
  func text(colored: Bool) -> String {
    let width = min(Self.widest, max(leftTitle.count, shownLeft.map(\.count).max() ?? 0))
    var text = "\(leftTitle.padded(to: width)) | \(rightTitle)\n"
    var shown = (left: 0, right: 0)
    for change in changes {
      let start = max(shown.left, change.old.lowerBound - Self.context)
      if start > shown.left { text += "…\n" }
      for index in start..<max(start, change.old.lowerBound) {
        text += row(left[index], left[index], width, " ", false)
      }
      for index in 0..<max(change.old.count, change.new.count) {
        let a = index < change.old.count ? left[change.old.lowerBound + index] : ""
        let b = index < change.new.count ? right[change.new.lowerBound + index] : ""
        text += row(a, b, width, a.isEmpty ? ">" : b.isEmpty ? "<" : "|", colored)
      }
      shown = (change.old.upperBound, change.new.upperBound)
    }
    for index in shown.left..<min(left.count, shown.left + Self.context) {
      text += row(left[index], left[index], width, " ", false)
    }
    return text + (shown.left + Self.context < left.count ? "…\n" : "")
  }

  private var shownLeft: [Substring] { changes.flatMap { left[$0.old] } }

  private func row(_ a: Substring, _ b: Substring, _ width: Int, _ mark: String, _ colored: Bool) -> String {
    let line = "\(String(a).padded(to: width)) \(mark) \(b)"
    return colored ? "\u{1B}[33m\(line)\u{1B}[0m\n" : "\(line)\n"
  }
}
