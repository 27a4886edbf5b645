/// What two lists of orders do not have in common, for a failed test.
struct OrderDifference {
  private let old: OrderList
  private let new: OrderList
  private let added: [Int]
  private let gone: [Int]

  init(old: OrderList, new: OrderList) {
    self.old = old
    self.new = new
    let before = Set(old.orders.map(\.trace))
    let now = Set(new.orders.map(\.trace))
    // Those with a fault come first: they are what a golden file is there to keep away.
    let added = new.orders.indices.filter { !before.contains(new.orders[$0].trace) }
    self.added = added.filter { new.orders[$0].fault != nil } + added.filter { new.orders[$0].fault == nil }
    gone = old.orders.indices.filter { !now.contains(old.orders[$0].trace) }
  }

  /// One sentence: what is new, what is gone, and where the first of them differs from the nearest.
  var sentence: String {
    var parts: [String] = []
    if !added.isEmpty { parts.append("\(Self.counted(added.count)) new (\(Self.list(added)))") }
    if !gone.isEmpty {
      let orders = gone.count == 1 ? "1 order of the golden file is" : "\(gone.count) orders of the golden file are"
      parts.append("\(orders) gone (\(Self.list(gone)))")
    }
    if parts.isEmpty { return "the orders of notifications are the same, what is said of them differs" }
    let counts = "\(parts.joined(separator: ", ")); there were \(old.orders.count), now there are \(new.orders.count)"
    let isNew = !added.isEmpty
    if let first = added.first, let fault = new.orders[first].fault {
      return "order \(first + 1) is new and has a fault: \(fault). \(counts)"
    }
    guard let nearest = isNew ? diff(new.orders[added[0]], isNew: true) : diff(old.orders[gone[0]], isNew: false),
      let difference = firstDifference(nearest.diff)
    else { return counts }
    return "\(counts); against order \(nearest.nearest + 1) \(isNew ? "of the golden file" : "now"): \(difference)"
  }

  /// Whether so many of the golden file's orders are gone that a diff of each would tell nothing.
  private var changesMost: Bool { gone.count > 3 && gone.count * 2 > old.orders.count && !added.isEmpty }

  /// A diff of each against the nearest of the other list, each pair once. Where most have changed: of the new ones with
  /// a fault, or of one.
  ///
  /// - Parameter replay: the command that runs one of the new list again, by its number.
  func details(replay: (Int) -> String?) -> [String] {
    var lines: [String] = []
    var shown: [Int: Set<Int>] = [:]
    let faulty = added.prefix { new.orders[$0].fault != nil }
    let told = (changesMost ? added.prefix(max(1, faulty.count)) : added[...]).prefix(Self.most)
    for index in told {
      lines.append("new: order \(index + 1)" + (replay(index + 1).map { ", replay with: \($0)" } ?? ""))
      if let diff = diff(new.orders[index], isNew: true) {
        lines += ["--- golden order \(diff.nearest + 1)", "+++ order \(index + 1)"] + diff.diff.lines(limit: 200)
        shown[diff.nearest, default: []].insert(index)
      }
    }
    let lost = changesMost ? [] : gone.prefix(Self.most)
    for index in lost {
      let head = "gone: order \(index + 1) of the golden file"
      guard let diff = diff(old.orders[index], isNew: false) else {
        lines.append(head)
        continue
      }
      if shown[index]?.contains(diff.nearest) ?? false {
        lines.append("\(head), against order \(diff.nearest + 1) as above")
      } else {
        lines += [head, "--- golden order \(index + 1)", "+++ order \(diff.nearest + 1)"] + diff.diff.lines(limit: 200)
      }
    }
    let left = added.count - told.count + gone.count - lost.count
    if changesMost {
      lines.append("... and \(left) more, new or gone: most orders have changed, so each of them would tell the same")
    } else if left > 0 {
      lines.append("... and \(left) more")
    }
    return lines
  }

  private static let most = 10

  private static func counted(_ count: Int) -> String { count == 1 ? "1 order is" : "\(count) orders are" }

  private static func list(_ indices: [Int]) -> String {
    let shown = indices.prefix(most).map { "\($0 + 1)" }.joined(separator: ", ")
    return (indices.count == 1 ? "order " : "orders ") + shown + (indices.count > most ? ", ..." : "")
  }

  /// Against the order of the other list that is the same for most of its lines at the beginning.
  private func diff(_ order: OrderList.Order, isNew: Bool) -> (nearest: Int, diff: UnifiedDiff)? {
    let others = isNew ? old.orders : new.orders
    let lengths = others.map { zip($0.trace.utf8, order.trace.utf8).prefix { $0 == $1 }.count }
    guard let nearest = lengths.indices.max(by: { lengths[$0] < lengths[$1] }) else { return nil }
    let (own, other) = (Array(order.trace.utf8), Array(others[nearest].trace.utf8))
    return (nearest, isNew ? UnifiedDiff(old: other, new: own) : UnifiedDiff(old: own, new: other))
  }
}
