import RunLoopExplorer
import RunLoopScript
import RunLoopTrace

/// Every order of notifications that a script has, as `rlsim explore --orders` prints it and a golden file holds it: a line
/// of counts, the header that all traces have, and then the traces, sorted.
struct OrderList: Equatable {
  struct Order: Equatable {
    /// Its trace, without the header.
    var trace: String
    /// What runs it again; empty in one that was read.
    var schedule = ""

    /// What the first fault in it says; nil when there is none.
    var fault: String? {
      for line in trace.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 3)
        if words.count > 3, words[2] == "fault" { return String(words[3]) }
      }
      return nil
    }
  }

  static let mark = "rlsim-orders 1"
  /// What the lines on standard error begin with that say how to run an order again.
  static let replayMark = "rlsim: order "

  /// What is known of the exploration, as `exhausted` or `not exhausted: WHY`.
  private(set) var state = ""
  private(set) var header = ""
  private(set) var orders: [Order] = []

  // MARK: From an exploration

  init(_ report: ExploreReport, _ script: ScriptOptions) {
    state = report.isExhausted ? "exhausted" : "not exhausted: \(report.reason)"
    for schedule in report.orderExamples {
      let text = TextCollector()
      _ = Replay(script, schedule.settings, consumer: text, marksSwitches: false).go(schedule)
      let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      header = lines.first.map(String.init) ?? ""
      orders.append(Order(trace: lines.dropFirst().joined(separator: "\n"), schedule: schedule.text))
    }
    orders.sort { $0.trace.utf8.lexicographicallyPrecedes($1.trace.utf8) }
  }

  /// The list as a file holds it.
  var text: String {
    var text = "\(Self.mark) orders=\(orders.count) \(state)\n\(header)\n"
    for (index, order) in orders.enumerated() { text += "\norder \(index + 1)\n\(order.trace)" }
    return text
  }

  // MARK: From a file

  /// Reads a list; nil when the text is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.mark.utf8) else { return nil }
    let blocks = Self.blocks(String(decoding: bytes, as: UTF8.self))
    guard let head = blocks.first, head.count >= 2 else { return nil }
    // The mark is two words, the number of orders one.
    state = head[0].split(separator: " ", maxSplits: 3).dropFirst(3).joined()
    header = head[1]
    orders = blocks.dropFirst().map { Order(trace: $0.dropFirst().map { $0 + "\n" }.joined()) }
    takeExitCodeAway()
  }

  /// The exit code at the end of a golden file belongs to no order.
  private mutating func takeExitCodeAway() {
    guard let last = orders.indices.last, let space = orders[last].trace.lastIndex(of: " ") else { return }
    if orders[last].trace[space...].hasPrefix(" exit=") {
      orders[last].trace = String(orders[last].trace[..<space]) + "\n"
    }
  }

  /// Lines between empty ones.
  private static func blocks(_ text: String) -> [[String]] {
    var blocks: [[String]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { blocks.append([]) } else { blocks[blocks.count - 1].append(String(line)) }
    }
    return blocks.filter { !$0.isEmpty }
  }
}
