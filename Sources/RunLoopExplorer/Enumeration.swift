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
  private let beginning: Beginning
  /// Runs with more preemptions are left out.
  private let maximumPreemptions: Int
  private var nodes: [Node] = []
  private(set) var trail = Trail()
  private var point = ChoicePoint()
  private var step = StepRecord()
  private var spares: [System.Snapshot] = []
  private var isStarted = false
  /// Whether something was left out because of `maximumPreemptions`.
  private(set) var leftSomethingOut = false

  /// - Parameter beginning: what all runs begin with.
  init(_ system: System, from beginning: Beginning = Beginning(), maximumPreemptions: Int = .max) {
    self.system = system
    self.beginning = beginning
    self.maximumPreemptions = maximumPreemptions
  }

  /// Who cannot go on at the end of the run.
  var end: ChoicePoint { point }
  func withTrail<Result>(_ body: (borrowing Trail) -> Result) -> Result { body(trail) }

  /// Goes on to the end of the next run.
  mutating func nextRun() -> Advance {
    if !isStarted {
      guard begin() else { return .over }
    } else if !goBack() {
      return .over
    }
    while true {
      system.look(after: trail.events.last?.actor ?? -1, into: &point)
      if point.enabled.isEmpty { return .run }
      append(Node(enabled: affordable()))
      takeNext()
    }
  }

  /// Goes to the end of what all runs begin with.
  private mutating func begin() -> Bool {
    isStarted = true
    system.start()
    for move in beginning.moves {
      system.look(after: trail.events.last?.actor ?? -1, into: &point)
      guard affordable().contains(move.actor) else { return false }
      nodes.append(Node(enabled: [move.actor], alternative: move.alternative))
      takeNext()
    }
    return true
  }

  private mutating func append(_ node: consuming Node) {
    if point.enabled.count > 1, SnapshotPlaces.contains(nodes.count) {
      node.snapshot = system.save(reusing: spares.popLast())
    }
    nodes.append(node)
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
    while nodes.count > beginning.moves.count {
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

  // MARK: Going on later

  /// The steps of the run, and for each place how far it is.
  var state: JSON {
    .object([
      .init("moves", trail.movesAsJSON),
      .init("places", .integers(nodes[beginning.moves.count...].map(\.next))),
    ])
  }

  mutating func restore(_ state: JSON) -> Bool {
    guard let moves = state["moves"]?.integers.flatMap({ RunMove.list($0) }), let places = state["places"]?.integers,
      moves.count == beginning.moves.count + places.count, moves.starts(with: beginning.moves), begin()
    else { return false }
    for (next, move) in zip(places, moves.dropFirst(beginning.moves.count)) {
      system.look(after: trail.events.last?.actor ?? -1, into: &point)
      let enabled = affordable()
      guard enabled.indices.contains(next), enabled[next] == move.actor else { return false }
      append(Node(enabled: enabled, next: next, alternative: move.alternative))
      takeNext()
    }
    system.look(after: trail.events.last?.actor ?? -1, into: &point)
    return true
  }
}
