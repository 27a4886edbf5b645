/// Takes every interleaving, one after the other, in the order of the default policy: the independent check of the
/// reduction.
struct Enumeration<System: Explorable>: Search, ~Copyable {
  struct Node: BitwiseCopyable {
    /// Those that can go on here: the first of them in `actors`, and how many.
    var first: Int32
    var count: Int32
    /// The next one to take, and which way.
    var next: Int32 = 0
    var alternative: Int32 = 0
    var alternatives: Int32 = 1
    /// Which of the snapshots was taken here; -1: none.
    var snapshot: Int32 = -1
    /// Whether it was gone back to for the last time.
    var isSpent = false
    /// The last place up to here that has a snapshot; -1: none.
    var nearest: Int32 = -1
  }

  private let system: System
  private let beginning: Beginning
  /// Runs with more preemptions are left out.
  private let maximumPreemptions: Int
  private var nodes = Stack<Node>()
  private var actors = Stack<Int32>()
  private(set) var trail = Trail()
  private var point = ChoicePoint()
  private var step = StepRecord()
  private var snapshots: [System.Snapshot] = []
  /// How many of them belong to a node; the memory of the others is used again.
  private var snapshotCount = 0
  private var isStarted = false
  /// Whether something was left out because of `maximumPreemptions`.
  private(set) var leftSomethingOut = false

  /// - Parameter beginning: what all runs begin with.
  init(_ system: System, from beginning: Beginning = Beginning(), maximumPreemptions: Int = .max) {
    self.system = system
    self.beginning = beginning
    self.maximumPreemptions = maximumPreemptions
  }

  deinit {
    for snapshot in snapshots { system.giveBack(snapshot) }
  }

  func withEnd<Result>(_ body: (borrowing Trail, ChoicePoint) -> Result) -> Result { body(trail, point) }

  /// Goes on to the end of the next run.
  mutating func nextRun() -> Advance {
    if !isStarted {
      guard begin() else { return .over }
    } else if !goBack() {
      return .over
    }
    while true {
      look()
      if point.enabled.isEmpty { return .run }
      let node = affordable()
      append(node)
      takeNext()
    }
  }

  private mutating func look() { system.look(after: trail.events.last?.actor ?? -1, into: &point) }

  /// Goes to the end of what all runs begin with.
  private mutating func begin() -> Bool {
    isStarted = true
    system.start()
    for move in beginning.moves {
      look()
      let node = affordable()
      guard (0..<node.count).contains(where: { actors[Int(node.first + $0)] == move.actor }) else { return false }
      nodes.append(only(move.actor, alternative: move.alternative))
      takeNext()
    }
    return true
  }

  private mutating func append(_ node: Node) {
    var node = node
    node.nearest = nodes.last?.nearest ?? -1
    // Where the last one is spent, the way from the one before it would be long.
    let isFar = node.nearest < 0 || nodes[Int(node.nearest)].isSpent
    if point.enabled.count > 1, isFar || SnapshotPlaces.contains(nodes.count) {
      node.snapshot = Int32(save(after: Int(node.nearest)))
      node.nearest = Int32(nodes.count)
    }
    nodes.append(node)
  }

  /// Takes a snapshot, in the memory of the last one when that is spent: so no run, however long, has more of them than
  /// there are places for.
  ///
  /// - Parameter place: where the last one was taken; -1: there is none.
  private mutating func save(after place: Int) -> Int {
    var slot = snapshotCount
    if place >= 0, nodes[place].isSpent, nodes[place].snapshot >= 0 {
      slot = Int(nodes[place].snapshot)
      nodes[place].snapshot = -1
    }
    if slot < snapshots.count {
      system.save(into: &snapshots[slot])
    } else {
      snapshots.append(system.save(reusing: nil))
    }
    snapshotCount = slot + 1
    return slot
  }

  /// Takes the last node away.
  private mutating func dropNode() {
    let node = nodes[nodes.count - 1]
    if node.snapshot >= 0 { snapshotCount = Int(node.snapshot) }
    actors.shorten(to: Int(node.first))
    nodes.shorten(to: nodes.count - 1)
  }

  /// A node with those that can go on within the bound of preemptions.
  private mutating func affordable() -> Node {
    let first = actorCount
    actors.shorten(to: first)
    guard maximumPreemptions < .max, let last = trail.events.last?.actor, last != clockActor,
      point.enabled.contains(last), trail.preemptions >= maximumPreemptions
    else {
      for actor in point.enabled { actors.append(actor) }
      return Node(first: Int32(first), count: Int32(point.enabled.count))
    }
    if point.enabled.count > 1 { leftSomethingOut = true }
    return only(last, alternative: 0)
  }

  /// A node from which one goes on.
  private mutating func only(_ actor: Int32, alternative: Int32) -> Node {
    let first = actorCount
    actors.shorten(to: first)
    actors.append(actor)
    return Node(first: Int32(first), count: 1, alternative: alternative)
  }

  /// How many of the actors belong to a node.
  private var actorCount: Int { nodes.last.map { Int($0.first + $0.count) } ?? 0 }

  private mutating func takeNext() {
    let place = nodes.count - 1
    let actor = actors[Int(nodes[place].first + nodes[place].next)]
    let alternative = nodes[place].alternative
    step.clear()
    system.take(actor, alternative, into: &step)
    trail.append(actor, alternative, step, at: point)
    nodes[place].alternatives = step.alternatives
  }

  private mutating func goBack() -> Bool {
    while nodes.count > beginning.moves.count {
      let place = nodes.count - 1
      nodes[place].alternative += 1
      if nodes[place].alternative >= nodes[place].alternatives {
        nodes[place].alternative = 0
        nodes[place].next += 1
      }
      guard nodes[place].next < nodes[place].count else {
        dropNode()
        continue
      }
      trail.truncate(to: place)
      returnTo(place)
      takeNext()
      return true
    }
    return false
  }

  /// Brings the system to a place of the path: from the last snapshot before it, by the same steps.
  private mutating func returnTo(_ place: Int) {
    var from = Int(nodes[place].nearest)
    while from >= 0, nodes[from].isSpent { from = from > 0 ? Int(nodes[from - 1].nearest) : -1 }
    if from < 0 {
      system.start()
      from = 0
    } else if from == place, nodes[from].next == nodes[from].count - 1 {
      // Should the last step turn out to have several ways, they are gone from further back.
      nodes[from].isSpent = true
      system.restoreLast(snapshots[Int(nodes[from].snapshot)])
    } else {
      system.restore(snapshots[Int(nodes[from].snapshot)])
    }
    for index in from..<place {
      step.clear()
      system.take(trail.events[index].actor, trail.events[index].alternative, into: &step)
    }
    look()
  }

  // MARK: Going on later

  /// The steps of the run, and for each place how far it is.
  var state: JSON {
    .object([
      .init("moves", trail.movesAsJSON),
      .init("places", .integers((beginning.moves.count..<nodes.count).map { Int(nodes[$0].next) })),
    ])
  }

  mutating func restore(_ state: JSON) -> Bool {
    guard let moves = state["moves"]?.integers.flatMap({ RunMove.list($0) }), let places = state["places"]?.integers,
      moves.count == beginning.moves.count + places.count, moves.starts(with: beginning.moves), begin()
    else { return false }
    for (next, move) in zip(places, moves.dropFirst(beginning.moves.count)) {
      look()
      var node = affordable()
      guard (0..<Int(node.count)).contains(next), actors[Int(node.first) + next] == move.actor else { return false }
      node.next = Int32(next)
      node.alternative = move.alternative
      append(node)
      takeNext()
    }
    look()
    return true
  }
}
