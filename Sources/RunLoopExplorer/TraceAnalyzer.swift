/// Works out `TraceAnalysis`; keeps its memory from trace to trace.
///
/// Most cuts of most traces cannot be reached, as their steps depend on each other. So those that can are found as it goes:
/// from the cuts of so many steps to those of one step more. Within these they come by ascending number, so that sums
/// of fractions are always made in the same order.
struct TraceAnalyzer: ~Copyable {
  /// Traces that have more cuts, reached or not, are not looked at.
  var maximumCuts = 1 << 16
  /// The same where a bound of preemptions depends on it.
  static let cutsUnderBound = 1 << 18

  struct Actor: BitwiseCopyable {
    var number: Int32
    /// How many events it has, and where they are in `events`.
    var count: Int32
    var first: Int32
    /// How much its next event adds to the number of a cut.
    var stride: Int32 = 0
    /// What it lacks at the end of the run; or, if that came too early for it, what it needs and has.
    var need: Need?
    /// Whether the end of the run came too early for it.
    var isCutOff = false
  }

  struct Option: BitwiseCopyable {
    /// Whether the actor could go on there, in this trace or another.
    var canGoOn = false
    /// Its first event that is not in the cut, when all that happens before it is; otherwise -1.
    var event: Int32 = -1
  }

  struct Cut: BitwiseCopyable {
    var number: Int32
    /// How many interleavings lead there, and the chance to come there.
    var ways = 0.0
    var chance = 0.0
  }

  private var actors = Stack<Actor>()
  /// The events of each actor, one actor after the other.
  private var events = Stack<Int32>()
  /// By the number of an actor, which of the actors it is.
  private var places = Stack<Int32>()

  /// The cuts that were reached.
  private var cuts = Stack<Cut>()
  /// How many events of each actor are in each of these.
  private var counts = Stack<Int32>()
  // For each of these, and for each actor as the one of the last step: what it costs, and who took the step before.
  private var costs = Stack<UInt32>()
  private var previous = Stack<UInt8>()
  /// By the number of a cut, where it is among those; -1 where it was not reached.
  private var reached = Stack<Int32>()
  /// The numbers of the cuts of so many steps, and of one step more.
  private var level = Stack<Int32>()
  private var nextLevel = Stack<Int32>()
  /// What the actors can do at the cut that is looked at.
  private var options = Stack<Option>()
  /// Where the end of the trace is among the cuts; 0 when no interleaving was worked out.
  private var end = 0

  private static var never: UInt32 { .max }
  private static var preemption: UInt32 { 1 << 16 }

  /// - Parameter end: who cannot go on at the end of the run.
  mutating func analyze(_ trail: borrowing Trail, _ end: ChoicePoint) -> TraceAnalysis {
    self.end = 0
    collect(trail, end)
    var cells = 1
    for index in actors.indices {
      actors[index].stride = Int32(cells)
      cells = cells.multipliedReportingOverflow(by: Int(actors[index].count) + 1).partialValue
      if cells > maximumCuts || cells <= 0 { return ownFigures(trail) }
    }
    let count = actors.count
    if count == 0 { return TraceAnalysis() }
    guard count < 255 else { return ownFigures(trail) }
    begin(cells)
    while level.count > 0 {
      for place in level.indices { spread(Int(reached[Int(level[place])]), trail) }
      swap(&level, &nextLevel)
      nextLevel.shorten(to: 0)
      level.sort()
    }
    let analysis = result(Int(reached[cells - 1]))
    for place in cuts.indices { reached[Int(cuts[place].number)] = -1 }
    return analysis
  }

  private mutating func collect(_ trail: borrowing Trail, _ end: ChoicePoint) {
    actors.shorten(to: 0)
    var highest = trail.actorCount
    for blocked in end.blocked { highest = max(highest, Int(blocked.actor) + 1) }
    for late in end.cutOff { highest = max(highest, Int(late.actor) + 1) }
    places.fill(highest, with: -1)
    var first: Int32 = 0
    for number in 0..<Int32(highest) {
      let count = trail.eventCount(of: Int(number))
      var actor = Actor(number: number, count: count, first: first)
      if let late = end.cutOff.isEmpty ? nil : end.cutOff.first(where: { $0.actor == number }) {
        actor.need = late.need
        actor.isCutOff = true
      } else {
        actor.need = end.blocked.isEmpty ? nil : end.blocked.first { $0.actor == number }?.need
      }
      guard count > 0 || actor.isCutOff || actor.need != nil else { continue }
      places[Int(number)] = Int32(actors.count)
      actors.append(actor)
      first += count
    }
    events.shorten(to: 0)
    _ = events.extend(by: trail.count)
    for event in 0..<trail.count {
      let index = Int(places[Int(trail.events[event].actor)])
      events[Int(actors[index].first + trail.events[event].number - 1)] = Int32(event)
    }
  }

  /// Reaches the cut that nothing is in.
  private mutating func begin(_ cells: Int) {
    while reached.count < cells { reached.append(-1) }
    cuts.shorten(to: 0)
    counts.shorten(to: 0)
    costs.shorten(to: 0)
    previous.shorten(to: 0)
    level.shorten(to: 0)
    nextLevel.shorten(to: 0)
    options.fill(actors.count, with: Option())
    counts.extend(by: actors.count).update(repeating: 0, count: actors.count)
    addCosts()
    cuts.append(Cut(number: 0, ways: 1, chance: 1))
    reached[0] = 0
    level.append(0)
  }

  private mutating func addCosts() {
    costs.extend(by: actors.count).update(repeating: Self.never, count: actors.count)
    previous.extend(by: actors.count).update(repeating: 255, count: actors.count)
  }

  /// The cut with one event more of an actor; where it is among the cuts.
  private mutating func enter(_ cut: Int, _ index: Int) -> Int {
    let number = cuts[cut].number + actors[index].stride
    if reached[Int(number)] >= 0 { return Int(reached[Int(number)]) }
    let new = cuts.count
    let count = actors.count
    let own = counts.extend(by: count)
    own.update(from: counts.pointer(to: cut * count), count: count)
    own[index] += 1
    addCosts()
    cuts.append(Cut(number: number))
    reached[Int(number)] = Int32(new)
    nextLevel.append(number)
    return new
  }

  /// Goes from a cut to those with one event more.
  private mutating func spread(_ cut: Int, _ trail: borrowing Trail) {
    var enabled = 0
    var standard = -1
    for index in actors.indices {
      options[index] = option(index, cut, trail)
      guard options[index].canGoOn else { continue }
      enabled += 1
      if standard < 0 || actors[standard].number == clockActor { standard = index }
    }
    for index in actors.indices where options[index].event >= 0 {
      let target = enter(cut, index)
      let ways = max(1, enabled) * Int(trail.events[Int(options[index].event)].alternatives)
      cuts[target].ways += cuts[cut].ways
      cuts[target].chance += cuts[cut].chance / Double(ways)
      if cut == 0 {
        improve(target, index, to: standard == index ? 0 : 1, after: 0)
      } else {
        for last in actors.indices { goOn(from: cut, last, to: target, index, standard) }
      }
    }
  }

  /// One more step, by `index`, after one by `last`.
  @inline(__always)
  private mutating func goOn(from cut: Int, _ last: Int, to target: Int, _ index: Int, _ standard: Int) {
    let before = costs[cut * actors.count + last]
    guard before != Self.never else { return }
    // Whoever could go on does, as a rule.
    let isLeft = options[last].canGoOn && actors[last].number != clockActor
    let cost = before + (isLeft && last != index ? Self.preemption : 0) + ((isLeft ? last : standard) == index ? 0 : 1)
    improve(target, index, to: cost, after: last)
  }

  @inline(__always)
  private mutating func improve(_ cut: Int, _ index: Int, to cost: UInt32, after last: Int) {
    let place = cut * actors.count + index
    guard cost < costs[place] else { return }
    costs[place] = cost
    previous[place] = UInt8(last)
  }

  /// How many events of an actor are in a cut.
  @inline(__always)
  private func done(_ index: Int, _ cut: Int) -> Int32 { counts[cut * actors.count + index] }

  /// What an actor can do at a cut.
  @inline(__always)
  private func option(_ index: Int, _ cut: Int, _ trail: borrowing Trail) -> Option {
    var option = Option()
    let own = done(index, cut)
    guard own < actors[index].count else {
      option.canGoOn = canEverGoOn(index, cut, trail)
      return option
    }
    let event = Int(events[Int(actors[index].first + own)])
    let (past, clock) = (trail.pastRow(event), trail.clockRow(event))
    let done = counts.pointer(to: cut * actors.count)
    // What it knew before is a part of what happens before its step.
    var isKnown = true
    var isNext = true
    for other in actors.indices where other != index {
      let number = Int(actors[other].number)
      isNext = isNext && clock[number] <= done[other]
      isKnown = isKnown && past[number] <= done[other]
    }
    option.canGoOn = isKnown && (trail.events[event].need.map { isAvailable($0, cut, trail) } ?? true)
    if isNext { option.event = Int32(event) }
    return option
  }

  /// The same for one that takes no step any more: it is blocked at the end of the run, or cut off by that.
  private func canEverGoOn(_ index: Int, _ cut: Int, _ trail: borrowing Trail) -> Bool {
    guard actors[index].isCutOff || actors[index].need != nil else { return false }
    for other in actors.indices where other != index {
      if trail.knowledge(of: Int(actors[index].number), about: Int(actors[other].number)) > done(other, cut) {
        return false
      }
    }
    guard let need = actors[index].need else { return true }
    return isAvailable(need, cut, trail, unless: !actors[index].isCutOff)
  }

  /// Whether what is needed is free after the events of the cut.
  ///
  /// - Parameter isTaken: whether it is not if nobody has touched it.
  private func isAvailable(_ need: Need, _ cut: Int, _ trail: borrowing Trail, unless isTaken: Bool = true) -> Bool {
    var place = trail.lastAccess(of: need.object)
    var before: UInt8 = isTaken ? 0 : 0xFF
    while place >= 0 {
      let event = trail.event(ofAccess: place)
      let access = trail.accesses[place]
      if trail.events[event].number <= done(Int(places[Int(trail.events[event].actor)]), cut) {
        return access.availableAfter & need.bits == need.bits
      }
      before = access.availableBefore
      place = trail.access(before: place)
    }
    return before & need.bits == need.bits
  }

  /// - Parameter cut: where the end of the trace is among the cuts; -1: nothing leads there.
  private mutating func result(_ cut: Int) -> TraceAnalysis {
    var analysis = TraceAnalysis()
    analysis.interleavings = cut < 0 ? 0 : cuts[cut].ways
    analysis.chance = cut < 0 ? 0 : cuts[cut].chance
    guard cut > 0, let cost = costs(of: cut).min(), cost != Self.never else { return analysis }
    end = cut
    analysis.preemptions = Int(cost / Self.preemption)
    analysis.choices = Int(cost % Self.preemption)
    return analysis
  }

  private func costs(of cut: Int) -> UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(start: costs.pointer(to: cut * actors.count), count: actors.count)
  }

  /// Events of the trail analyzed last in the order of the interleaving with the fewest preemptions, then with the fewest
  /// choices that differ from the default; empty: in their own order.
  func shortest() -> [Int32] {
    guard end > 0, let least = costs(of: end).min() else { return [] }
    let count = actors.count
    var best = costs(of: end).firstIndex(of: least) ?? 0
    var order: [Int32] = []
    var place: [Int32] = []
    for index in actors.indices { place.append(actors[index].count) }
    // From the last step back; where the cuts are is forgotten, but they are in the order in which they were reached.
    var cut = end
    while cut > 0 {
      place[best] -= 1
      order.append(events[Int(actors[best].first + place[best])])
      let last = Int(previous[cut * count + best])
      let number = cuts[cut].number - actors[best].stride
      while cuts[cut].number != number { cut -= 1 }
      best = last
    }
    return order.reversed()
  }

  /// The figures of the run itself, for a trace that is too large.
  private func ownFigures(_ trail: borrowing Trail) -> TraceAnalysis {
    var analysis = TraceAnalysis(ofRun: trail)
    analysis.isExact = false
    analysis.interleavings = .infinity
    return analysis
  }
}
