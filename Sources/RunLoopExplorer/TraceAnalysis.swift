/// What all interleavings of one trace have in common, worked out from one of them: how many there are, the one with the
/// fewest preemptions, and how likely a random walk takes one of them.
///
/// The steps of a trace that were taken at some moment of some interleaving are, for each actor, its first few: a cut. All
/// three answers follow from cut to cut.
struct TraceAnalysis {
  /// The number of interleavings; infinite when it is beyond counting.
  var interleavings: Double = 1
  /// The least number of preemptions.
  var preemptions = 0
  /// How many choices of the interleaving with the fewest preemptions differ from the default policy.
  var choices = 0
  /// The chance that a random walk takes one of the interleavings.
  var chance: Double = 1
  /// Events of the trail in the order of the interleaving with the fewest preemptions, then with the fewest choices that
  /// differ from the default; empty: in their own order.
  var shortest: [Int32] = []
  /// Whether the trace was small enough for all that; otherwise the figures are those of the run itself.
  var isExact = true
}

extension TraceAnalysis {
  /// The figures of one run alone.
  init(ofRun trail: borrowing Trail) {
    preemptions = trail.preemptions
    choices = trail.events.count { $0.choice > 0 }
    chance = trail.events.reduce(1) { $0 / Double($1.enabledCount * $1.alternatives) }
  }
}

/// Works out `TraceAnalysis`; keeps its memory from trace to trace.
struct TraceAnalyzer: ~Copyable {
  /// More cuts than this are not looked at.
  var maximumCuts = 1 << 16
  /// The same where a bound of preemptions depends on it.
  static let cutsUnderBound = 1 << 18

  private struct Actor {
    var number: Int32
    var events: [Int32] = []
    var stride = 0
    /// What it lacks at the end of the run.
    var need: Need?
  }

  private var actors: [Actor] = []
  private var ways: [Double] = []
  private var chances: [Double] = []
  private var costs: [UInt32] = []
  private var previous: [UInt8] = []
  private var cut: [Int32] = []
  private var canGoOn: [Bool] = []
  private var isNext: [Bool] = []

  private static var never: UInt32 { .max }
  private static var preemption: UInt32 { 1 << 16 }

  /// - Parameter end: who cannot go on at the end of the run.
  mutating func analyze(_ trail: borrowing Trail, _ end: ChoicePoint) -> TraceAnalysis {
    collect(trail, end)
    var cells = 1
    for index in actors.indices {
      actors[index].stride = cells
      cells = cells.multipliedReportingOverflow(by: actors[index].events.count + 1).partialValue
      if cells > maximumCuts || cells <= 0 { return ownFigures(trail) }
    }
    let count = actors.count
    guard count > 0, count < 255 else { return TraceAnalysis() }
    Self.reset(&ways, cells, 0)
    Self.reset(&chances, cells, 0)
    Self.reset(&costs, cells * count, Self.never)
    Self.reset(&previous, cells * count, 255)
    Self.reset(&cut, count, 0)
    Self.reset(&canGoOn, count, false)
    Self.reset(&isNext, count, false)
    ways[0] = 1
    chances[0] = 1
    for cell in 0..<cells {
      if ways[cell] > 0 { spread(cell, trail) }
      step()
    }
    return result(cells - 1)
  }

  private mutating func collect(_ trail: borrowing Trail, _ end: ChoicePoint) {
    actors.removeAll(keepingCapacity: true)
    for number in 0..<Int32(trail.actorCount) {
      let blocked = end.blocked.first { $0.actor == number }
      guard trail.eventCount(of: Int(number)) > 0 || blocked != nil else { continue }
      actors.append(Actor(number: number, need: blocked?.need))
    }
    for event in 0..<trail.count {
      for index in actors.indices where actors[index].number == trail.events[event].actor {
        actors[index].events.append(Int32(event))
      }
    }
  }

  private static func reset<Value>(_ values: inout [Value], _ count: Int, _ value: Value) {
    values.removeAll(keepingCapacity: true)
    values.append(contentsOf: repeatElement(value, count: count))
  }

  /// The next cut, in the order of the cells.
  private mutating func step() {
    for index in actors.indices {
      cut[index] += 1
      if Int(cut[index]) <= actors[index].events.count { return }
      cut[index] = 0
    }
  }

  /// Goes from a cut to those with one event more.
  private mutating func spread(_ cell: Int, _ trail: borrowing Trail) {
    var enabled = 0
    var standard = -1
    for index in actors.indices {
      let next = Int(cut[index])
      let events = actors[index].events
      canGoOn[index] = isEnabled(index, trail)
      isNext[index] = next < events.count && holds(Int(events[next]), trail)
      if canGoOn[index] {
        enabled += 1
        if standard < 0 || (actors[standard].number == clockActor) { standard = index }
      }
    }
    let count = actors.count
    for index in actors.indices where isNext[index] {
      let target = cell + actors[index].stride
      ways[target] += ways[cell]
      let alternatives = trail.events[Int(actors[index].events[Int(cut[index])])].alternatives
      chances[target] += chances[cell] / Double(max(1, enabled) * Int(alternatives))
      for last in 0..<(cell == 0 ? 1 : count) {
        let before = cell == 0 ? 0 : costs[cell * count + last]
        guard before != Self.never else { continue }
        let isPreemption = cell != 0 && last != index && canGoOn[last] && actors[last].number != clockActor
        let usual = cell != 0 && canGoOn[last] && actors[last].number != clockActor ? last : standard
        let cost = before + (isPreemption ? Self.preemption : 0) + (usual == index ? 0 : 1)
        if cost < costs[target * count + index] {
          costs[target * count + index] = cost
          previous[target * count + index] = UInt8(last)
        }
      }
    }
  }

  /// Whether all that happens before an event is in the cut.
  @inline(__always)
  private func holds(_ event: Int, _ trail: borrowing Trail) -> Bool {
    for index in actors.indices where actors[index].number != trail.events[event].actor {
      if trail.clock(event, Int(actors[index].number)) > cut[index] { return false }
    }
    return true
  }

  /// Whether an actor could go on at the cut, in this trace or another.
  private func isEnabled(_ index: Int, _ trail: borrowing Trail) -> Bool {
    let next = Int(cut[index])
    let events = actors[index].events
    let need: Need?
    if next < events.count {
      let event = Int(events[next])
      for other in actors.indices where other != index {
        if trail.past(event, Int(actors[other].number)) > cut[other] { return false }
      }
      need = trail.events[event].need
    } else {
      guard actors[index].need != nil else { return false }
      for other in actors.indices where other != index {
        if trail.knowledge(of: Int(actors[index].number), about: Int(actors[other].number)) > cut[other] {
          return false
        }
      }
      need = actors[index].need
    }
    guard let need else { return true }
    return isAvailable(need, trail)
  }

  /// Whether what is needed is free after the events of the cut.
  private func isAvailable(_ need: Need, _ trail: borrowing Trail) -> Bool {
    var place = trail.lastAccess(of: need.object)
    var before: UInt8 = 0
    while place >= 0 {
      let event = trail.event(ofAccess: place)
      let access = trail.accesses[place]
      if isInCut(event, trail) { return access.availableAfter & need.bits == need.bits }
      before = access.availableBefore
      place = trail.access(before: place)
    }
    return before & need.bits == need.bits
  }

  private func isInCut(_ event: Int, _ trail: borrowing Trail) -> Bool {
    for index in actors.indices where actors[index].number == trail.events[event].actor {
      return trail.events[event].number <= cut[index]
    }
    return false
  }

  private func result(_ lastCell: Int) -> TraceAnalysis {
    var analysis = TraceAnalysis()
    analysis.interleavings = ways[lastCell]
    analysis.chance = chances[lastCell]
    let count = actors.count
    var best = 0
    for index in 0..<count where costs[lastCell * count + index] < costs[lastCell * count + best] { best = index }
    guard lastCell > 0, costs[lastCell * count + best] != Self.never else { return analysis }
    analysis.preemptions = Int(costs[lastCell * count + best] / Self.preemption)
    analysis.choices = Int(costs[lastCell * count + best] % Self.preemption)
    var cell = lastCell
    var place = actors.map { $0.events.count }
    while cell > 0 {
      place[best] -= 1
      analysis.shortest.append(actors[best].events[place[best]])
      let last = Int(previous[cell * count + best])
      cell -= actors[best].stride
      best = last
    }
    analysis.shortest.reverse()
    return analysis
  }

  /// The figures of the run itself, for a trace that is too large.
  private func ownFigures(_ trail: borrowing Trail) -> TraceAnalysis {
    var analysis = TraceAnalysis(ofRun: trail)
    analysis.isExact = false
    analysis.interleavings = .infinity
    return analysis
  }
}
