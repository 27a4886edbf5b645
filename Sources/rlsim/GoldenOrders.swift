import RunLoopExplorer
import RunLoopScript
import RunLoopTrace

/// What the golden file of an explored script says, beside what was found.
struct GoldenOrders {
  /// So many orders are compared with a golden trace one by one.
  static let keptOrders = 1_000

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
    guard let bytes = try? Files.readOwn(path) else { return nil }
    golden = bytes
  }

  /// Whether the golden trace is among the orders, or a list of orders is the one that was found.
  func sentence(_ report: ExploreReport, _ script: ScriptOptions) -> String {
    if let list = OrderList(golden) { return compare(list, report, script) }
    let wanted = Self.parts(GoldenTrace.trace(golden))
    for schedule in report.orderExamples {
      let text = TextCollector()
      _ = Replay(script, schedule.settings, consumer: text, marksSwitches: false).go(schedule)
      if Self.parts(text.bytes) == wanted { return "the golden trace (\(path)) is one of them" }
    }
    let areAll = report.isExhausted && report.orders <= Self.keptOrders
    return "the golden trace (\(path)) is \(areAll ? "none of them" : "not among those that were compared")"
  }

  /// What each thread does, in its own order. How the threads' lines lie between each other is not the same in a run and in
  /// an explored one, where what stands between two steps is done at once, and nobody begins to wait for what is taken.
  private static func parts(_ trace: [UInt8]) -> [String: [Substring]] {
    var parts: [String: [Substring]] = [:]
    for line in String(decoding: trace, as: UTF8.self).split(separator: "\n") {
      let thread = TraceLine(line)?.thread ?? ""
      if let event = TraceLine(line)?.event, waits.contains(event) { continue }
      parts[thread, default: []].append(line)
    }
    return parts
  }

  /// Lines of waits that an explored run does not have.
  private static let waits: Set<Substring> = ["lock.wait", "semaphore.wait", "semaphore.wake", "port.full"]

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
