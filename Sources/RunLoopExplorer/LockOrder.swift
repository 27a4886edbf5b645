import RunLoopEngine

/// In which order threads take locks, over all runs: a circle in it is a deadlock waiting for its moment, even if no run
/// came to it.
struct LockOrder: Sendable {
  /// A thread takes a lock while it holds another.
  private struct Edge: Hashable, Sendable {
    var first: Int32
    var second: Int32
    var thread: Int32
    /// What it holds beside.
    var gates: [Int32]
    var names: [String]
  }

  /// The same as a run has it, to know it again without making texts.
  private struct Occurrence: Hashable {
    var first: LockID
    var second: LockID
    var thread: Int32
    var gates: [Int32]
    var places: [Position]
  }

  private var edges: Set<Edge> = []
  private var known: Set<Occurrence> = []

  init() {}

  /// Adds what other runs have shown.
  mutating func add(_ other: LockOrder) { edges.formUnion(other.edges) }

  /// Learns from a run that has ended.
  ///
  /// - Parameter first: the steps before this one were learned from before, in another run.
  mutating func learn(_ run: ScriptRun, from first: Int) {
    var held: [(actor: Int32, lock: LockID, step: Int)] = []
    for (index, step) in run.taken.enumerated() {
      switch step.operation {
      case .lock(let lock), .lockBefore(let lock, _), .lockWhen(let lock, _, _), .writeLock(let lock),
        .synchronized(let lock, _):
        if index >= first, held.contains(where: { $0.actor == step.actor && $0.lock != lock }) {
          note(lock, step, held.filter { $0.actor == step.actor }.map { ($0.lock, $0.step) }, run)
        }
        held.append((step.actor, lock, index))
      case .unlock(let lock), .unlockWith(let lock, _):
        if let place = held.lastIndex(where: { $0.actor == step.actor && $0.lock == lock }) { held.remove(at: place) }
      default: break
      }
    }
  }

  /// A thread takes a lock while it holds others.
  private mutating func note(
    _ lock: LockID, _ step: ScriptRun.Taken, _ others: [(lock: LockID, step: Int)], _ run: ScriptRun
  ) {
    for other in others where other.lock != lock {
      let gates = Set(others.map(\.lock.rawValue)).subtracting([other.lock.rawValue]).sorted()
      let places = [run.taken[other.step].position, step.position]
      let occurrence = Occurrence(first: other.lock, second: lock, thread: step.actor, gates: gates, places: places)
      if known.insert(occurrence).inserted { edges.insert(Self.edge(occurrence, run)) }
    }
  }

  private static func edge(_ occurrence: Occurrence, _ run: ScriptRun) -> Edge {
    func name(_ lock: LockID) -> String { run.session.simulation.names[run.session.simulation.name(of: lock)] }
    return Edge(
      first: occurrence.first.rawValue, second: occurrence.second.rawValue, thread: occurrence.thread,
      gates: occurrence.gates,
      names: [run.name(of: occurrence.thread), name(occurrence.first), name(occurrence.second)]
        + occurrence.places.map(run.placeText))
  }

  private var sorted: [Edge] {
    edges.sorted { a, b in
      if (a.first, a.second, a.thread) != (b.first, b.second, b.thread) {
        return (a.first, a.second, a.thread) < (b.first, b.second, b.thread)
      }
      if a.gates != b.gates { return a.gates.lexicographicallyPrecedes(b.gates) }
      return a.names.lexicographicallyPrecedes(b.names)
    }
  }

  /// Circles in the order, each once, by different threads and under no lock that they have in common.
  ///
  /// - Parameter deadlocks: the names of the locks in each deadlock that was found: a circle of these is told with it.
  func circles(besides deadlocks: [Set<String>] = []) -> [Observation] {
    let all = inCircles
    let edges = Dictionary(grouping: all, by: \.first)
    var found: [Observation] = []
    var seen: Set<Set<Int32>> = []
    // How many more edges lead from a lock to where the circle begins.
    var ways: [Int32: Int] = [:]
    func mayClose(_ edge: Edge, after count: Int) -> Bool {
      ways[edge.second].map { count + 1 + $0 <= Self.longest } ?? false
    }
    func extend(_ path: [Edge]) {
      guard let start = path.first, let last = path.last else { return }
      for edge in edges[last.second, default: []] where !path.contains(where: { $0.thread == edge.thread }) {
        if edge.second == start.first {
          let circle = path + [edge]
          let isKnown = deadlocks.contains { $0.isSuperset(of: circle.map { edge in edge.names[2] }) }
          if !isKnown, !Self.haveCommonGate(circle), seen.insert(Set(circle.map(\.first))).inserted {
            found.append(Self.describe(circle))
          }
        } else if mayClose(edge, after: path.count), !path.contains(where: { $0.first == edge.second }) {
          extend(path + [edge])
        }
      }
    }
    var start: Int32?
    for edge in all {
      // The edges come by their first lock.
      if edge.first != start { ways = Self.ways(to: edge.first, all) }
      start = edge.first
      if mayClose(edge, after: 0) { extend([edge]) }
    }
    return found
  }

  /// Circles of more edges are not looked for.
  private static let longest = 6

  /// How many edges lead from a lock to another at least, without a lock before that one: a circle begins with its first.
  private static func ways(to end: Int32, _ edges: [Edge]) -> [Int32: Int] {
    let toLocks = Dictionary(grouping: edges.filter { $0.first > end && $0.second >= end }, by: \.second)
    var ways: [Int32: Int] = [end: 0]
    var open = [end]
    while let lock = open.first {
      open.removeFirst()
      for edge in toLocks[lock, default: []] where ways[edge.first] == nil {
        ways[edge.first] = ways[lock, default: 0] + 1
        open.append(edge.first)
      }
    }
    return ways
  }

  /// The edges, in their order, that may be of a circle: others are taken away until one leads to each lock that is left,
  /// and one away from it.
  private var inCircles: [Edge] {
    var edges = sorted
    while true {
      let (from, to) = (Set(edges.map(\.first)), Set(edges.map(\.second)))
      let left = edges.filter { to.contains($0.first) && from.contains($0.second) }
      if left.count == edges.count { return edges }
      edges = left
    }
  }

  private static func haveCommonGate(_ circle: [Edge]) -> Bool {
    let gates = circle.dropFirst().reduce(Set(circle[0].gates)) { $0.intersection($1.gates) }
    return !gates.isEmpty
  }

  private static func describe(_ circle: [Edge]) -> Observation {
    let lines = circle.map { edge in
      "\(edge.names[0]): \(edge.names[1]) at \(edge.names[3]), then \(edge.names[2]) at \(edge.names[4])"
    }
    return Observation(kind: "lockOrder", details: lines)
  }

  // MARK: As text

  var json: JSON {
    .array(
      sorted.map { edge in
        .array([
          .integers([edge.first, edge.second, edge.thread].map(Int.init)), .integers(edge.gates.map(Int.init)),
          .strings(edge.names),
        ])
      })
  }

  /// Takes what `json` gave; nil when it is something else.
  init?(_ json: JSON) {
    guard let list = json.array else { return nil }
    for item in list {
      guard let parts = item.array, parts.count == 3, let numbers = parts[0].integers, numbers.count == 3,
        let gates = parts[1].integers, let names = parts[2].strings, names.count == 5,
        let ids = Self.narrow(numbers), let held = Self.narrow(gates)
      else { return nil }
      edges.insert(Edge(first: ids[0], second: ids[1], thread: ids[2], gates: held, names: names))
    }
  }

  private static func narrow(_ numbers: [Int]) -> [Int32]? {
    let narrow = numbers.compactMap { Int32(exactly: $0) }
    return narrow.count == numbers.count ? narrow : nil
  }
}
