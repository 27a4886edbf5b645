/// Takes every interleaving, one after the other, in the order of the default policy: the independent check of the
/// reduction.
struct Enumeration<System: Explorable>: Search, ~Copyable {
  private struct Node {
    var enabled: [Int32]
    /// The next one to take, and which way.
    var next = 0
    var alternative: Int32 = 0
    var alternatives: Int32 = 1
    var snapshot: System.Snapshot?
  }

  private let system: System
  /// Runs with more preemptions are left out.
  private let maximumPreemptions: Int
  /// Whether a beginning of a trace that was explored before is passed over.
  private let mergesTraces: Bool
  private var nodes: [Node] = []
  private(set) var trail = Trail()
  private var point = ChoicePoint()
  private var step = StepRecord()
  private var spares: [System.Snapshot] = []
  private var isStarted = false
  /// With how few preemptions each beginning of a trace was come to, by its last actor; only kept under a bound.
  private var seen: [Beginning: Int] = [:]

  /// More of them are not remembered, and then gone through again.
  private let maximumSeen = 4_000_000

  private struct Beginning: Hashable {
    var trace: TraceHash
    var last: Int32
  }

  /// Whether something was left out because of `maximumPreemptions`.
  private(set) var leftSomethingOut = false

  init(_ system: System, maximumPreemptions: Int = .max, mergesTraces: Bool = false) {
    self.system = system
    self.mergesTraces = mergesTraces
    self.maximumPreemptions = maximumPreemptions
  }

  /// Who cannot go on at the end of the run.
  var end: ChoicePoint { point }
  func withTrail<Result>(_ body: (borrowing Trail) -> Result) -> Result { body(trail) }

  /// Goes on to the end of the next run; false when there is none.
  mutating func nextRun() -> Bool {
    if !isStarted {
      isStarted = true
      system.start()
    } else if !goBack() {
      return false
    }
    while true {
      system.look(after: trail.events.last?.actor ?? -1, into: &point)
      if wasSeen() {
        guard goBack() else { return false }
        continue
      }
      if point.enabled.isEmpty { return true }
      var node = Node(enabled: affordable())
      if point.enabled.count > 1, SnapshotPlaces.contains(nodes.count) {
        node.snapshot = system.save(reusing: spares.popLast())
      }
      nodes.append(node)
      takeNext()
    }
  }

  /// Whether the same beginning of a trace was explored before, with as few preemptions.
  private mutating func wasSeen() -> Bool {
    guard mergesTraces, let last = trail.events.last?.actor else { return false }
    let beginning = Beginning(trace: trail.traceHash, last: point.enabled.isEmpty ? 0 : last)
    let preemptions = trail.preemptions
    if let least = seen[beginning], least <= preemptions { return true }
    if seen.count < maximumSeen { seen[beginning] = preemptions }
    return false
  }

  /// Those that can go on within the bound of preemptions.
  private mutating func affordable() -> [Int32] {
    guard maximumPreemptions < .max, let last = trail.events.last?.actor, last != clockActor,
      point.enabled.contains(last), trail.preemptions >= maximumPreemptions
    else { return point.enabled }
    if point.enabled.count > 1 { leftSomethingOut = true }
    return [last]
  }

  private mutating func takeNext() {
    let place = nodes.count - 1
    let actor = nodes[place].enabled[nodes[place].next]
    let alternative = nodes[place].alternative
    step.clear()
    system.take(actor, alternative, into: &step)
    trail.append(actor, alternative, step, at: point)
    nodes[place].alternatives = step.alternatives
  }

  private mutating func goBack() -> Bool {
    while !nodes.isEmpty {
      let place = nodes.count - 1
      trail.truncate(to: place)
      nodes[place].alternative += 1
      if nodes[place].alternative >= nodes[place].alternatives {
        nodes[place].alternative = 0
        nodes[place].next += 1
      }
      guard nodes[place].next < nodes[place].enabled.count else {
        if let snapshot = nodes.removeLast().snapshot { spares.append(snapshot) }
        continue
      }
      returnTo(place)
      takeNext()
      return true
    }
    return false
  }

  /// Brings the system to a place of the path: from the last snapshot before it, by the same steps.
  private mutating func returnTo(_ place: Int) {
    var from = place
    while from > 0, nodes[from].snapshot == nil { from -= 1 }
    if let snapshot = nodes[from].snapshot { system.restore(snapshot) } else { system.start() }
    for index in from..<place {
      step.clear()
      system.take(trail.events[index].actor, trail.events[index].alternative, into: &step)
    }
    system.look(after: place > 0 ? trail.events[place - 1].actor : -1, into: &point)
  }
}
