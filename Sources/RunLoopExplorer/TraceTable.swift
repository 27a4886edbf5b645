/// Traces, and what each of them counts.
///
/// Many traces count the same: what they count is kept once, and each has its number.
struct TraceTable: Sendable {
  private var table = DistinctTable<TraceHash, UInt32>()
  private var figures: [Share.TraceFigures] = []
  /// Where the numbers of figures are, by their bits: one more than the number, 0 where there is none. A power of two of
  /// places, at most half of them in use.
  private var places: [UInt32] = []
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
    if lacks(trace) { add(trace, counted) }
  }

  /// Adds one that it lacks.
  mutating func add(_ trace: TraceHash, _ counted: Share.TraceFigures) {
    let number = number(of: counted)
    table.insert(trace, number)
  }

  private mutating func number(of counted: Share.TraceFigures) -> UInt32 {
    if places.isEmpty { places = [UInt32](repeating: 0, count: 64) }
    var place = place(of: counted)
    if places[place] > 0 { return places[place] - 1 }
    let number = UInt32(figures.count)
    figures.append(counted)
    if figures.count > Self.maximumNumbers { return number }
    if figures.count * 2 > places.count {
      places = [UInt32](repeating: 0, count: places.count * 2)
      for known in 0..<figures.count - 1 { places[self.place(of: figures[known])] = UInt32(known) + 1 }
      place = self.place(of: counted)
    }
    places[place] = number + 1
    return number
  }

  /// The place where the number of figures is, or would be.
  @inline(__always)
  private func place(of counted: Share.TraceFigures) -> Int {
    let bits = counted.interleavings.bitPattern ^ counted.chance.bitPattern &* 0x9E37_79B9_7F4A_7C15
    var place = Int(truncatingIfNeeded: TraceHash.scramble(bits &+ UInt64(counted.preemptions))) & (places.count - 1)
    while places[place] > 0, figures[Int(places[place] - 1)] != counted { place = (place + 1) & (places.count - 1) }
    return place
  }

  mutating func formUnion(_ other: TraceTable) {
    if table.isEmpty, level <= other.level {
      self = other
      return
    }
    table.thinOut(to: other.level)
    table.reserve(for: other.table)
    // Their numbers here, plus one, once they are known.
    var numbers = [UInt32](repeating: 0, count: other.figures.count)
    other.table.visit { trace, theirs in
      guard lacks(trace) else { return }
      if numbers[Int(theirs)] == 0 { numbers[Int(theirs)] = number(of: other.figures[Int(theirs)]) + 1 }
      table.insert(trace, numbers[Int(theirs)] - 1)
    }
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
