/// The steps of a run so far, with what happens before what.
///
/// Each event has two vector clocks: its *past*, which holds what its actor knew before (its own events, who woke it, the
/// last step of the clock), and its *clock*, to which the conflicting accesses before it are added.
struct Trail: ~Copyable {
  struct Event {
    var actor: Int32
    /// Which event of its actor it is, from 1.
    var number: Int32
    var alternative: Int32
    var alternatives: Int32
    /// How many could go on, and which of them it was, in the default order.
    var enabledCount: Int32
    var choice: Int32
    var accesses: Range<Int>
    var lessons: Range<Int>
    var need: Need?
    var movedClock: Bool
    var held: Range<Int>
    /// How often the run up to here left a thread that could go on.
    var preemptions: Int32
  }

  /// An access in the list of its object.
  private struct Link {
    var event: Int32
    /// The access of the same object before, -1: none.
    var previous: Int32
  }

  private(set) var events: [Event] = []
  private(set) var accesses: [Touch] = []
  private var links: [Link] = []
  private var lessons: [Lesson] = []
  private var held: [Int32] = []
  private var last: [UInt32: Int32] = [:]
  /// Events that touch all objects at once.
  private(set) var total: [Int32] = []
  /// Numbers of actors are below this.
  private(set) var actorCount = 2
  private var width = 8
  /// Of the trace up to each event.
  private var hashes: [TraceHash] = []
  private var pasts: [Int32] = []
  private var clocks: [Int32] = []
  /// What each actor knows now.
  private var known: [Int32]
  private var counts: [Int32]
  /// What is before the last step of the clock that came by itself: everything after that comes after it.
  private var floor: [Int32]
  /// Actors that were before a step of theirs then: the step could have been taken earlier.
  private var isHeld: [Bool]

  init() {
    known = [Int32](repeating: 0, count: width * width)
    counts = [Int32](repeating: 0, count: width)
    floor = counts
    isHeld = [Bool](repeating: false, count: width)
  }

  var count: Int { events.count }
  /// How often the run leaves a thread that could go on.
  var preemptions: Int { Int(events.last?.preemptions ?? 0) }
  var accessCount: Int { accesses.count }

  /// Forgets all events.
  mutating func removeAll() { truncate(to: 0) }

  // MARK: What happens before what

  /// Whether `a` happens before `b`, or is `b`.
  @inline(__always)
  func happens(_ a: Int, before b: Int) -> Bool { clocks[b * width + Int(events[a].actor)] >= events[a].number }

  /// Whether the actor of `b` knew of `a` before it took `b`.
  @inline(__always)
  func isKnown(_ a: Int, to b: Int) -> Bool { pasts[b * width + Int(events[a].actor)] >= events[a].number }

  /// Whether an actor knows of `a` now.
  @inline(__always)
  func isKnown(_ a: Int, toActor actor: Int32) -> Bool {
    knowledge(of: Int(actor), about: Int(events[a].actor)) >= events[a].number
  }

  @inline(__always)
  func clock(_ event: Int, _ actor: Int) -> Int32 { clocks[event * width + actor] }
  @inline(__always)
  func past(_ event: Int, _ actor: Int) -> Int32 { pasts[event * width + actor] }
  /// What an actor knows of another now.
  @inline(__always)
  func knowledge(of actor: Int, about other: Int) -> Int32 {
    isHeld[actor] ? known[actor * width + other] : max(known[actor * width + other], floor[other])
  }
  /// How many events an actor has.
  func eventCount(of actor: Int) -> Int32 { counts[actor] }

  func accesses(of event: Int) -> ArraySlice<Touch> { accesses[events[event].accesses] }

  func lessons(of event: Int) -> ArraySlice<Lesson> { lessons[events[event].lessons] }

  func move(_ event: Int) -> Move {
    Move(
      actor: events[event].actor, alternative: events[event].alternative, footprint: Footprint(accesses(of: event)))
  }

  /// The place of the last access of an object; -1 when there is none.
  @inline(__always)
  func lastAccess(of object: UInt32) -> Int { Int(last[object] ?? -1) }
  /// The place of the access of the same object before; -1 when there is none.
  @inline(__always)
  func access(before place: Int) -> Int { Int(links[place].previous) }
  @inline(__always)
  func event(ofAccess place: Int) -> Int { Int(links[place].event) }

  // MARK: Growing and shrinking

  /// Adds a step.
  ///
  /// - Parameter point: what there was to choose from.
  mutating func append(_ actor: Int32, _ alternative: Int32, _ step: StepRecord, at point: ChoicePoint) {
    makeRoom(for: actor)
    for other in step.held { makeRoom(for: other) }
    for lesson in step.lessons { makeRoom(for: max(lesson.actor, lesson.from)) }
    let index = events.count
    let own = Int(actor)
    counts[own] += 1
    let firstAccess = accesses.count
    let firstHeld = held.count
    held.append(contentsOf: step.held)
    let firstLesson = lessons.count
    lessons.append(contentsOf: step.lessons)
    for other in 0..<width { pasts.append(knowledge(of: own, about: other)) }
    for other in 0..<width { clocks.append(max(known[own * width + other], floor[other])) }
    if let event = total.last { joinClock(index, with: Int(event)) }
    for access in step.accesses { add(access, index) }
    clocks[index * width + own] = counts[own]
    var plainClock: [Int32]?
    if step.cutsOff, total.last != Int32(index) {
      // What the end cuts off tells no traces apart: it is the same whichever step comes last.
      plainClock = Array(clocks[index * width..<(index + 1) * width])
      add(Touch(Touch.everything, changes: true), index)
      clocks[index * width + own] = counts[own]
    }
    let lastCouldGoOn =
      index > 0 && (point.lead?.lastCouldGoOn ?? point.enabled.contains(events[index - 1].actor))
    var preemptions = events.last?.preemptions ?? 0
    if lastCouldGoOn, events[index - 1].actor != actor, events[index - 1].actor != clockActor { preemptions += 1 }
    events.append(
      Event(
        actor: actor, number: counts[own], alternative: alternative, alternatives: step.alternatives,
        enabledCount: point.lead?.count ?? Int32(point.enabled.count),
        choice: point.lead?.choice ?? Int32(point.enabled.firstIndex(of: actor) ?? 0),
        accesses: firstAccess..<accesses.count,
        lessons: firstLesson..<lessons.count, need: step.need, movedClock: step.movedClock,
        held: firstHeld..<held.count, preemptions: preemptions))
    learn(index)
    addHash(index, plainClock)
  }

  private mutating func add(_ access: Touch, _ event: Int) {
    if access.object == Touch.everything {
      for actor in 0..<actorCount { clocks[event * width + actor] = counts[actor] }
      total.append(Int32(event))
    }
    let previous = last[access.object] ?? -1
    var place = previous
    while place >= 0 {
      let isChange = accesses[Int(place)].changes
      if access.changes || isChange { joinClock(event, with: Int(links[Int(place)].event)) }
      if isChange { break }
      place = links[Int(place)].previous
    }
    last[access.object] = Int32(accesses.count)
    accesses.append(access)
    links.append(Link(event: Int32(event), previous: previous))
  }

  @inline(__always)
  private mutating func joinClock(_ event: Int, with other: Int) {
    for actor in 0..<actorCount {
      let value = clocks[other * width + actor]
      if value > clocks[event * width + actor] { clocks[event * width + actor] = value }
    }
  }

  /// Spreads what an event means for what the actors know.
  private mutating func learn(_ event: Int) {
    let own = Int(events[event].actor)
    for actor in 0..<actorCount { known[own * width + actor] = clocks[event * width + actor] }
    for place in events[event].lessons { learn(Int(lessons[place].actor), from: Int(lessons[place].from)) }
    isHeld[own] = false
    guard events[event].movedClock else { return }
    for actor in 0..<width {
      floor[actor] = counts[actor]
      isHeld[actor] = false
    }
    for place in events[event].held { isHeld[Int(held[place])] = true }
  }

  private mutating func learn(_ actor: Int, from teacher: Int) {
    for other in 0..<actorCount {
      let value = known[teacher * width + other]
      if value > known[actor * width + other] { known[actor * width + other] = value }
    }
  }

  /// Takes the last events away.
  mutating func truncate(to count: Int) {
    guard count < events.count else { return }
    let firstAccess = events[count].accesses.lowerBound
    for place in stride(from: accesses.count - 1, through: firstAccess, by: -1) {
      let previous = links[place].previous
      last[accesses[place].object] = previous >= 0 ? previous : nil
    }
    while let event = total.last, event >= count { total.removeLast() }
    held.removeSubrange(events[count].held.lowerBound...)
    lessons.removeSubrange(events[count].lessons.lowerBound...)
    accesses.removeSubrange(firstAccess...)
    links.removeSubrange(firstAccess...)
    events.removeSubrange(count...)
    hashes.removeSubrange(count...)
    pasts.removeSubrange((count * width)...)
    clocks.removeSubrange((count * width)...)
    recount()
  }

  private mutating func recount() {
    for place in known.indices { known[place] = 0 }
    for actor in counts.indices {
      counts[actor] = 0
      floor[actor] = 0
      isHeld[actor] = false
    }
    for event in events.indices {
      counts[Int(events[event].actor)] += 1
      learn(event)
    }
  }

  private mutating func makeRoom(for actor: Int32) {
    guard Int(actor) >= actorCount else { return }
    actorCount = Int(actor) + 1
    guard actorCount > width else { return }
    let old = width
    while width < actorCount { width *= 2 }
    pasts = relaid(pasts, old, events.count)
    clocks = relaid(clocks, old, events.count)
    known = [Int32](repeating: 0, count: width * width)
    counts = [Int32](repeating: 0, count: width)
    floor = counts
    isHeld = [Bool](repeating: false, count: width)
    recount()
  }

  private func relaid(_ rows: [Int32], _ old: Int, _ count: Int) -> [Int32] {
    var result = [Int32](repeating: 0, count: count * width)
    for row in 0..<count {
      for column in 0..<old { result[row * width + column] = rows[row * old + column] }
    }
    return result
  }

  // MARK: Telling traces apart

  /// A number for the trace of the run: the same for all its interleavings.
  var traceHash: TraceHash { hashes.last ?? TraceHash() }

  private mutating func addHash(_ index: Int, _ plainClock: [Int32]? = nil) {
    var own = TraceHash.Mixer()
    own.mix(UInt64(bitPattern: Int64(events[index].actor)) << 32 | UInt64(UInt32(events[index].number)))
    own.mix(UInt64(bitPattern: Int64(events[index].alternative)))
    for actor in 0..<actorCount {
      let clock = plainClock?[actor] ?? clocks[index * width + actor]
      if clock != 0 { own.mix(UInt64(actor) << 32 | UInt64(UInt32(clock))) }
    }
    var hash = traceHash
    hash.add(own)
    hashes.append(hash)
  }
}
