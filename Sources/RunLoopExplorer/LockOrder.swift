import RunLoopEngine

/// In which order threads take locks, over all runs: a circle in it is a deadlock waiting for its moment, even if no run
/// came to it.
struct LockOrder {
  private struct Edge: Hashable {
    var first: LockID
    var second: LockID
    var thread: Int32
  }

  /// For each pair of locks that a thread held together, where it took them.
  private var places: [Edge: (first: String, second: String, held: Set<LockID>)] = [:]
  private var names: [LockID: String] = [:]

  /// Learns from a run that has ended.
  mutating func learn(_ run: ScriptRun) {
    var held: [Int32: [(lock: LockID, step: Int)]] = [:]
    for (index, step) in run.taken.enumerated() {
      switch step.operation {
      case .lock(let lock), .lockBefore(let lock, _), .lockWhen(let lock, _, _), .writeLock(let lock),
        .synchronized(let lock, _):
        let actor = step.actor
        for other in held[actor, default: []] where other.lock != lock {
          let edge = Edge(first: other.lock, second: lock, thread: actor)
          if places[edge] == nil {
            let first = run.placeText(run.taken[other.step].position)
            let gates = Set(held[actor, default: []].map(\.lock)).subtracting([other.lock])
            places[edge] = (first, run.placeText(step.position), gates)
            for each in [other.lock, lock] {
              names[each] = run.session.simulation.names[run.session.simulation.name(of: each)]
            }
            threads[actor] = run.name(of: actor)
          }
        }
        held[actor, default: []].append((lock, index))
      case .unlock(let lock), .unlockWith(let lock, _):
        if let place = held[step.actor]?.lastIndex(where: { $0.lock == lock }) { held[step.actor]?.remove(at: place) }
      default: break
      }
    }
  }
  private var threads: [Int32: String] = [:]

  /// Circles in the order, each once, by different threads and under no lock that they have in common.
  func circles() -> [Observation] {
    let edges = places.keys.sorted {
      ($0.first.rawValue, $0.second.rawValue, $0.thread) < ($1.first.rawValue, $1.second.rawValue, $1.thread)
    }
    var found: [Observation] = []
    var seen: Set<Set<LockID>> = []
    func extend(_ path: [Edge]) {
      guard let start = path.first, let last = path.last else { return }
      for edge in edges where edge.first == last.second && !path.contains(where: { $0.thread == edge.thread }) {
        if edge.second == start.first {
          let circle = path + [edge]
          if !haveCommonGate(circle), seen.insert(Set(circle.map(\.first))).inserted { found.append(describe(circle)) }
        } else if path.count < 5, edge.second.rawValue > start.first.rawValue,
          !path.contains(where: { $0.first == edge.second })
        {
          extend(path + [edge])
        }
      }
    }
    for edge in edges { extend([edge]) }
    return found
  }

  private func haveCommonGate(_ circle: [Edge]) -> Bool {
    var gates = places[circle[0]]?.held ?? []
    for edge in circle { gates.formIntersection(places[edge]?.held ?? []) }
    return !gates.isEmpty
  }

  private func describe(_ circle: [Edge]) -> Observation {
    let lines = circle.map { edge in
      let place = places[edge]
      return "\(threads[edge.thread] ?? "?"): \(names[edge.first] ?? "?") at \(place?.first ?? "?"), "
        + "then \(names[edge.second] ?? "?") at \(place?.second ?? "?")"
    }
    return Observation(kind: "lockOrder", details: lines)
  }
}
