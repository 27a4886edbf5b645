import RunLoopEngine

/// Finds two accesses of one `rl.shared`, one of them a write, that nothing orders: no lock, signal, message, start or join
/// leads from one to the other. That they came one after the other in this run is chance.
enum RaceDetector {
  /// A race is known by its two places; threads that are made alike have it in pairs.
  struct Race: Equatable {
    var observation: Observation
    /// Who was at which of the places.
    var threads: [String]
  }

  private static let shared = UInt32(RunLoopEngine.Access.Kind.shared.rawValue)

  private static func isShared(_ object: UInt32) -> Bool { object >> 24 == shared && object != Touch.everything }

  /// - Parameter run: the run whose trail it is.
  static func races(_ trail: borrowing Trail, _ run: ScriptRun) -> [Race] {
    guard trail.accesses.contains(where: { isShared($0.object) }) else { return [] }
    var clocks = SyncClocks(trail.actorCount)
    // The last accesses of each cell: of each actor the last read and the last write.
    var reads: [UInt32: [Int]] = [:]
    var writes: [UInt32: [Int]] = [:]
    var found: [Race] = []
    for event in 0..<trail.count {
      clocks.append(event, trail) { isShared($0) }
      for touch in trail.accesses(of: event) where isShared(touch.object) {
        let others = writes[touch.object, default: []] + (touch.changes ? reads[touch.object, default: []] : [])
        for other in others where !clocks.happens(other, before: event, trail) {
          let race = describe(other, event, run)
          if !found.contains(race) { found.append(race) }
        }
        let actor = trail.events[event].actor
        if touch.changes {
          writes[touch.object, default: []].removeAll { trail.events[$0].actor == actor }
          writes[touch.object, default: []].append(event)
        } else {
          reads[touch.object, default: []].removeAll { trail.events[$0].actor == actor }
          reads[touch.object, default: []].append(event)
        }
      }
      clocks.learn(event, trail)
    }
    return found
  }

  private static func describe(_ first: Int, _ second: Int, _ run: ScriptRun) -> Race {
    let accesses = [first, second].map { event in
      let step = run.taken[event]
      let words = OperationText.describe(step.operation, run.session.simulation)
      return (words: "\(words) at \(run.placeText(step.position))", thread: run.name(of: step.actor))
    }
    // In whichever order they come, it is the same race.
    let sorted = accesses.sorted { $0 < $1 }
    return Race(
      observation: Observation(kind: "dataRace", details: sorted.map(\.words)), threads: sorted.map(\.thread))
  }
}

/// What happens before what by synchronisation alone: an access gets to know what the last change of the same object
/// knew, but for the objects that do not synchronise.
private struct SyncClocks {
  private let width: Int
  private var known: [[Int32]]
  private var clocks: [[Int32]] = []
  private var lastChange: [UInt32: Int] = [:]

  init(_ width: Int) {
    self.width = width
    known = Array(repeating: Array(repeating: 0, count: width), count: width)
  }

  func happens(_ a: Int, before b: Int, _ trail: borrowing Trail) -> Bool {
    clocks[b][Int(trail.events[a].actor)] >= trail.events[a].number
  }

  mutating func append(_ event: Int, _ trail: borrowing Trail, isIgnored: (UInt32) -> Bool) {
    var clock = known[Int(trail.events[event].actor)]
    for touch in trail.accesses(of: event) where !isIgnored(touch.object) {
      if let change = lastChange[touch.object] { Self.join(&clock, clocks[change]) }
      if touch.changes { lastChange[touch.object] = event }
    }
    clock[Int(trail.events[event].actor)] = trail.events[event].number
    clocks.append(clock)
  }

  /// After the event: its actor knows it, and others learn.
  mutating func learn(_ event: Int, _ trail: borrowing Trail) {
    known[Int(trail.events[event].actor)] = clocks[event]
    for lesson in trail.lessons(of: event) { Self.join(&known[Int(lesson.actor)], known[Int(lesson.from)]) }
  }

  private static func join(_ clock: inout [Int32], _ other: [Int32]) {
    for index in clock.indices where other[index] > clock[index] { clock[index] = other[index] }
  }
}
