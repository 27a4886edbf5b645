import RunLoopEngine

/// Finds two accesses of one `rl.shared`, one of them a write, that nothing orders: no lock, signal, message, start or join
/// leads from one to the other. That they came one after the other in this run is chance.
///
/// What happens before what by synchronisation alone is worked out for that: an access gets to know what the last change
/// of the same object knew, but for the cells, which do not synchronise. Keeps its memory from run to run.
struct RaceDetector: ~Copyable {
  /// A race is known by its two places; threads that are made alike have it in pairs.
  struct Race: Equatable {
    var observation: Observation
    /// Who was at which of the places.
    var threads: [String]
  }

  private static let shared = UInt32(RunLoopEngine.Access.Kind.shared.rawValue)

  @inline(__always)
  static func isShared(_ object: UInt32) -> Bool { object >> 24 == shared && object != Touch.everything }

  private var width = 0
  // A row of numbers by actor for each actor and for each event: how many events of the others are known there.
  private var known = Stack<Int32>()
  private var clocks = Stack<Int32>()
  /// The numbers that cells have here.
  private var cells = LastAccesses()
  private var cellCount = 0
  // By cell and actor the last event that read or wrote it; -1: none.
  private var reads = Stack<Int32>()
  private var writes = Stack<Int32>()

  /// - Parameter run: the run whose trail it is.
  mutating func races(_ trail: borrowing Trail, _ run: ScriptRun) -> [Race] {
    width = trail.actorCount
    known.fill(width * width, with: 0)
    clocks.shorten(to: 0)
    reads.fill(cellCount * width, with: -1)
    writes.fill(cellCount * width, with: -1)
    var found: [Race] = []
    for event in 0..<trail.count {
      addClock(event, trail)
      for touch in trail.accesses(of: event) where Self.isShared(touch.object) {
        look(touch, event, trail, run, &found)
      }
      learn(event, trail)
    }
    return found
  }

  /// Compares an access with the last ones of the same cell by each actor, and keeps it.
  private mutating func look(
    _ touch: Touch, _ event: Int, _ trail: borrowing Trail, _ run: ScriptRun, _ found: inout [Race]
  ) {
    let row = number(of: touch.object) * width
    for actor in row..<row + width {
      note(Int(writes[actor]), event, trail, run, &found)
      if touch.changes { note(Int(reads[actor]), event, trail, run, &found) }
    }
    let place = row + Int(trail.events[event].actor)
    if touch.changes { writes[place] = Int32(event) } else { reads[place] = Int32(event) }
  }

  private func note(
    _ other: Int, _ event: Int, _ trail: borrowing Trail, _ run: ScriptRun, _ found: inout [Race]
  ) {
    if other < 0 || clocks[event * width + Int(trail.events[other].actor)] >= trail.events[other].number { return }
    let race = Self.describe(other, event, run)
    if !found.contains(race) { found.append(race) }
  }

  /// The number of a cell, which has one from its first access on.
  private mutating func number(of cell: UInt32) -> Int {
    let number = cells[cell]
    if number >= 0 { return Int(number) }
    cells[cell] = Int32(cellCount)
    cellCount += 1
    for _ in 0..<width {
      reads.append(-1)
      writes.append(-1)
    }
    return cellCount - 1
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

  // MARK: What happens before what

  private mutating func addClock(_ event: Int, _ trail: borrowing Trail) {
    let actor = Int(trail.events[event].actor)
    let clock = clocks.extend(by: width)
    clock.update(from: known.pointer(to: actor * width), count: width)
    for place in trail.events[event].accesses.range where !Self.isShared(trail.accesses[place].object) {
      var other = trail.access(before: place)
      while other >= 0, !trail.accesses[other].changes { other = trail.access(before: other) }
      if other >= 0 { Self.join(clock, clocks.pointer(to: trail.event(ofAccess: other) * width), width) }
    }
    clock[actor] = trail.events[event].number
  }

  /// After the event: its actor knows it, and others learn.
  private mutating func learn(_ event: Int, _ trail: borrowing Trail) {
    let actor = Int(trail.events[event].actor)
    known.pointer(to: actor * width).update(from: clocks.pointer(to: event * width), count: width)
    for lesson in trail.lessons(of: event) {
      Self.join(known.pointer(to: Int(lesson.actor) * width), known.pointer(to: Int(lesson.from) * width), width)
    }
  }

  @inline(__always)
  private static func join(_ row: UnsafeMutablePointer<Int32>, _ other: UnsafeMutablePointer<Int32>, _ width: Int) {
    for place in 0..<width { row[place] = max(row[place], other[place]) }
  }
}
