import RunLoopExplorer
import RunLoopScript
import RunLoopTrace

/// What the golden file of an explored script says, beside what was found.
struct GoldenOrders {
  /// So many orders are compared with a golden trace one by one.
  static let keptOrders = 1_000
  /// Steps that are spent on the question whether some interleaving gives the golden trace.
  private static let patience = 20_000

  private let path: String
  private let golden: [UInt8]

  /// The golden file of a script below a directory `scripts`; nil: there is none.
  init?(script: String) {
    let parts = script.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let place = parts.lastIndex(of: "scripts"), place < parts.count - 1, script.hasSuffix(".lua") else {
      return nil
    }
    let rest = parts[(place + 1)...].joined(separator: "/").dropLast(4)
    path = (parts[..<place] + ["golden", rest + ".trace"]).joined(separator: "/")
    guard let bytes = try? Files.read(path) else { return nil }
    golden = bytes
  }

  /// Whether the golden trace is among the orders, or a list of orders is the one that was found.
  func sentence(_ report: ExploreReport, _ script: ScriptOptions, _ options: ExploreOptions) -> String {
    if let list = OrderList(golden) { return compare(list, report, script) }
    let trace = GoldenTrace.trace(golden)
    for schedule in report.orderExamples {
      let text = TextCollector()
      _ = Replay(script, schedule.settings, consumer: text, marksSwitches: false).go(schedule)
      if text.bytes == trace { return "the golden trace \(path) is one of the orders" }
    }
    // Where one run stands for all of its trace, the golden one may be another of them.
    switch TraceSearch(script, options.settings, wanted: trace).search(patience: Self.patience) {
    case .found: return "the golden trace \(path) is one of the orders"
    case .none: return "the golden trace \(path) is none of the orders: no interleaving gives it"
    case .unknown: return "whether an interleaving gives the golden trace \(path) was not found out"
    }
  }

  private func compare(_ list: OrderList, _ report: ExploreReport, _ script: ScriptOptions) -> String {
    let known = Set(list.orders.map(\.trace))
    let found = OrderList(report, script).orders.filter { !known.contains($0.trace) }.count
    let words = "\(path) holds \(list.orders.count) order\(list.orders.count == 1 ? "" : "s")"
    if report.orders > Self.keptOrders { return words }
    return found == 0
      ? "\(words), and all that were found are among them"
      : "\(words); \(found) of those that were found \(found == 1 ? "is" : "are") not among them"
  }
}
