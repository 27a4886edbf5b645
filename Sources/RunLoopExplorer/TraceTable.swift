/// Traces, and what each of them counts.
///
/// Many traces count the same: what they count is kept once, and each has its number.
struct TraceTable: Sendable {
  private var table = DistinctTable<TraceHash, UInt32>()
  private var figures: [Share.TraceFigures] = []
  private var numbers: [Share.TraceFigures: UInt32] = [:]
  /// The number that was asked for last: what is alike comes together.
  private var lastNumber: UInt32?
  /// So many different figures are looked for; what differs more is kept for each trace.
  private static let maximumNumbers = 1 << 16

  /// How many traces there are, about; exactly when `isExact`.
  var estimate: Int { table.estimate }
  var isExact: Bool { table.isExact }
  /// How many traces each that is kept stands for.
  var weight: Int { 1 << table.level }
  /// Of 2 to this power traces one is kept.
  var level: Int { table.level }

  /// Whether a trace is new, and one of those that are kept.
  @inline(__always)
  func lacks(_ trace: TraceHash) -> Bool { table.keeps(trace) && table[trace] == nil }

  subscript(trace: TraceHash) -> Share.TraceFigures? { table[trace].map { figures[Int($0)] } }

  mutating func insert(_ trace: TraceHash, _ counted: Share.TraceFigures) {
    guard lacks(trace) else { return }
    let number = number(of: counted)
    table.insert(trace, number)
  }

  private mutating func number(of counted: Share.TraceFigures) -> UInt32 {
    if let last = lastNumber, figures[Int(last)] == counted { return last }
    if let number = numbers[counted] {
      lastNumber = number
      return number
    }
    let number = UInt32(figures.count)
    figures.append(counted)
    if figures.count <= Self.maximumNumbers { numbers[counted] = number }
    return number
  }

  mutating func formUnion(_ other: TraceTable) {
    if table.isEmpty, level <= other.level {
      self = other
      return
    }
    table.thinOut(to: other.level)
    other.visit { insert($0, $1) }
  }

  /// Goes over to a smaller sample.
  mutating func thinOut(to level: Int) { table.thinOut(to: level) }

  /// In an order that depends on how they came.
  func visit(_ body: (TraceHash, Share.TraceFigures) -> Void) {
    table.visit { body($0, figures[Int($1)]) }
  }

  /// In the order of their numbers.
  var sorted: [(trace: TraceHash, figures: Share.TraceFigures)] {
    var list: [(trace: TraceHash, figures: Share.TraceFigures)] = []
    visit { list.append(($0, $1)) }
    return list.sorted { $0.trace < $1.trace }
  }

  /// How many traces are not in another table.
  func countMissing(in other: TraceTable) -> Int { table.countMissing(in: other.table) }
}
