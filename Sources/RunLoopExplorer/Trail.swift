/// The steps of a run so far, with what happens before what.
///
/// Each event has two vector clocks: its *past*, which holds what its actor knew before (its own events, who woke it, the
/// last step of the clock), and its *clock*, to which the conflicting accesses before it are added.
struct Trail: ~Copyable {
  struct Event: BitwiseCopyable {
    var actor: Int32
    /// Which event of its actor it is, from 1.
    var number: Int32
    var alternative: Int32
    var alternatives: Int32
    /// How many could go on, and which of them it was, in the default order.
    var enabledCount: Int32
    var choice: Int32
    /// What it touched, in the trail's list of accesses, and so on.
    var accesses: Span
    var lessons: Span
    var need: Need?
    var movedClock: Bool
    var held: Span
    /// Whether its actor was held back when the clock moved, before this step of it.
    fileprivate var wasHeld: Bool
    /// Of the run up to here: figures and the number of its trace.
    var totals: Totals
    /// How often the run up to here left a thread that could go on.
    var preemptions: Int32 { totals.preemptions }
  }

  /// Some that follow each other in a list.
  struct Span: BitwiseCopyable {
    var start: Int32
    var end: Int32

    init(_ start: Int, _ end: Int) {
      self.start = Int32(start)
      self.end = Int32(end)
    }

    @inline(__always) var range: Range<Int> { Int(start)..<Int(end) }
  }

  /// What is known of a run from its beginning to some step of it.
  struct Totals: BitwiseCopyable {
    /// How often it left a thread that could go on.
    var preemptions: Int32 = 0
    /// Choices that differ from the default.
    var choices: Int32 = 0
    /// Steps before which there was something to choose.
    var choicePoints: Int32 = 0
    /// The chance that a random walk goes this way.
    var chance = 1.0
    /// Whether each step comes after all before it in every interleaving of the trace: there is but this one.
    var isChain = true
    /// Whether the clock has moved by itself.
    var movedClock = false
    var hash = TraceHash()
  }

  /// An access in the list of its object.
  struct Link: BitwiseCopyable {
    var event: Int32
    /// The access of the same object before, -1: none.
    var previous: Int32
  }

  private(set) var events = Stack<Event>()
  private(set) var accesses = Stack<Touch>()
  private var links = Stack<Link>()
  private var lessons = Stack<Lesson>()
  private var held = Stack<Int32>()
  private var last = LastAccesses()
  /// Events that touch all objects at once.
  private(set) var total = Stack<Int32>()
  /// Numbers of actors are below this.
  private(set) var actorCount = 2
  /// Numbers in a row: as many as the actors need, in whole vectors.
  private var width = Row.count
  private var pasts = Stack<Int32>(capacity: 512)
  private var clocks = Stack<Int32>(capacity: 512)
  /// What each actor knows now.
  private var known = Stack<Int32>()
  private var counts = Stack<Int32>()
  /// What is before the last step of the clock that came by itself: everything after that comes after it.
  private var floor = Stack<Int32>()
  /// Actors that were before a step of theirs then: the step could have been taken earlier.
  private var isHeld = Stack<Bool>()
  /// Rows of `known`, `floor` and `isHeld` as they were before the events changed them, so that taking an event away
  /// costs what adding it did.
  private var oldRows = Stack<Int32>(capacity: 512)
  private var oldHeld = Stack<Bool>()

  init() { forgetKnowledge() }

  var count: Int { events.count }
  /// Figures of the whole run.
  var totals: Totals { events.last?.totals ?? Totals() }
  /// How often the run leaves a thread that could go on.
  var preemptions: Int { Int(totals.preemptions) }
  /// A number for the trace of the run: the same for all its interleavings.
  var traceHash: TraceHash { totals.hash }
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
  /// Both by actor, until the trail changes.
  @inline(__always)
  func clockRow(_ event: Int) -> UnsafePointer<Int32> { UnsafePointer(clocks.pointer(to: event * width)) }
  @inline(__always)
  func pastRow(_ event: Int) -> UnsafePointer<Int32> { UnsafePointer(pasts.pointer(to: event * width)) }
  /// What an actor knows of another now.
  @inline(__always)
  func knowledge(of actor: Int, about other: Int) -> Int32 {
    if other >= actorCount { return 0 }
    // Who has taken no step, learned nothing from anybody and was not held: it became ready after the clock had moved.
    if actor >= actorCount { return floor[other] }
    return isHeld[actor] ? known[actor * width + other] : max(known[actor * width + other], floor[other])
  }
  /// How many events an actor has.
  @inline(__always)
  func eventCount(of actor: Int) -> Int32 { actor < actorCount ? counts[actor] : 0 }

  /// What an event touched, until the trail changes.
  func accesses(of event: Int) -> UnsafeBufferPointer<Touch> { accesses.elements(events[event].accesses.range) }

  /// Who learned by it from whom, until the trail changes.
  func lessons(of event: Int) -> UnsafeBufferPointer<Lesson> { lessons.elements(events[event].lessons.range) }

  func move(_ event: Int) -> Move {
    Move(
      actor: events[event].actor, alternative: events[event].alternative, footprint: Footprint(accesses(of: event)))
  }

  /// The place of the last access of an object; -1 when there is none.
  @inline(__always)
  func lastAccess(of object: UInt32) -> Int { Int(last[object]) }
  /// The place of the access of the same object before; -1 when there is none.
  @inline(__always)
  func access(before place: Int) -> Int { Int(links[place].previous) }
  @inline(__always)
  func event(ofAccess place: Int) -> Int { Int(links[place].event) }

  // MARK: Growing and shrinking

  /// Adds a step.
  ///
  /// - Parameter point: what there was to choose from.
  mutating func append(
    _ actor: Int32, _ alternative: Int32, _ step: borrowing StepRecord, at point: ChoicePoint
  ) {
    makeRoom(for: actor)
    for other in step.held.elements { makeRoom(for: other) }
    for lesson in step.lessons.elements { makeRoom(for: max(lesson.actor, lesson.from)) }
    let index = events.count
    let own = Int(actor)
    counts[own] += 1
    let firstAccess = accesses.count
    let firstHeld = held.count
    for other in step.held.elements { held.append(other) }
    let firstLesson = lessons.count
    for lesson in step.lessons.elements { lessons.append(lesson) }
    addRows(own)
    if let event = total.last { joinClock(index, with: Int(event)) }
    for access in step.accesses.elements { add(access, index) }
    clocks[index * width + own] = counts[own]
    // What the end cuts off tells no traces apart: it is the same whichever step comes last.
    let mixer = mixer(index, actor, alternative)
    if step.cutsOff, total.last != Int32(index) {
      add(Touch(Touch.everything, changes: true), index)
      clocks[index * width + own] = counts[own]
    }
    let isPreemption = leavesAnother(actor, point)
    // It is made where it stays.
    let event = events.extend(by: 1)
    event.initialize(
      to: Event(
        actor: actor, number: counts[own], alternative: alternative, alternatives: step.alternatives,
        enabledCount: point.lead?.count ?? Int32(point.enabled.count),
        choice: point.lead?.choice ?? Int32(point.enabled.firstIndex(of: actor) ?? 0),
        accesses: Span(firstAccess, accesses.count), lessons: Span(firstLesson, lessons.count), need: step.need,
        movedClock: step.movedClock, held: Span(firstHeld, held.count), wasHeld: isHeld[own], totals: Totals()))
    if index > 0 {
      let previous = event - 1
      event.pointee.totals = previous.pointee.totals
      if clocks[index * width + Int(previous.pointee.actor)] < previous.pointee.number {
        event.pointee.totals.isChain = false
      }
    }
    event.pointee.count(isPreemption: isPreemption)
    event.pointee.totals.hash.add(mixer)
    learn(index)
  }

  /// Whether a step by an actor leaves the one before it although that could go on.
  private func leavesAnother(_ actor: Int32, _ point: ChoicePoint) -> Bool {
    guard !events.isEmpty else { return false }
    let previous = events[events.count - 1].actor
    guard previous != actor, previous != clockActor else { return false }
    return point.lead?.lastCouldGoOn ?? point.enabled.contains(previous)
  }

  /// The rows of a new event: what its actor knows.
  private mutating func addRows(_ own: Int) {
    let past = pasts.extend(by: width)
    let clock = clocks.extend(by: width)
    let knows = known.pointer(to: own * width)
    Row.copy(knows, to: clock, width)
    Row.join(clock, floor.pointer(to: 0), width)
    Row.copy(isHeld[own] ? knows : clock, to: past, width)
  }

  private mutating func add(_ access: Touch, _ event: Int) {
    if access.object == Touch.everything {
      for actor in 0..<actorCount { clocks[event * width + actor] = counts[actor] }
      total.append(Int32(event))
    }
    let previous = last.exchange(access.object, Int32(accesses.count))
    var place = previous
    while place >= 0 {
      let isChange = accesses[Int(place)].changes
      if access.changes || isChange { joinClock(event, with: Int(links[Int(place)].event)) }
      if isChange { break }
      place = links[Int(place)].previous
    }
    accesses.append(access)
    links.append(Link(event: Int32(event), previous: previous))
  }

  @inline(__always)
  private mutating func joinClock(_ event: Int, with other: Int) {
    Row.join(clocks.pointer(to: event * width), clocks.pointer(to: other * width), width)
  }

  /// Spreads what an event means for what the actors know.
  private mutating func learn(_ event: Int) {
    let own = Int(events[event].actor)
    keep(known.pointer(to: own * width))
    Row.copy(clocks.pointer(to: event * width), to: known.pointer(to: own * width), width)
    for place in events[event].lessons.range {
      let pupil = known.pointer(to: Int(lessons[place].actor) * width)
      keep(pupil)
      Row.join(pupil, known.pointer(to: Int(lessons[place].from) * width), width)
    }
    isHeld[own] = false
    guard events[event].movedClock else { return }
    keep(floor.pointer(to: 0))
    oldHeld.extend(by: width).update(from: isHeld.pointer(to: 0), count: width)
    floor.pointer(to: 0).update(from: counts.pointer(to: 0), count: width)
    isHeld.fill(width, with: false)
    for place in events[event].held.range { isHeld[Int(held[place])] = true }
  }

  @inline(__always)
  private mutating func keep(_ row: UnsafeMutablePointer<Int32>) {
    Row.copy(row, to: oldRows.extend(by: width), width)
  }

  @inline(__always)
  private mutating func bringBack(_ row: UnsafeMutablePointer<Int32>) {
    let start = oldRows.count - width
    Row.copy(oldRows.pointer(to: start), to: row, width)
    oldRows.shorten(to: start)
  }

  /// Takes back what `learn` did for the last event.
  private mutating func unlearn(_ event: Int) {
    let own = Int(events[event].actor)
    if events[event].movedClock {
      isHeld.pointer(to: 0).update(from: oldHeld.pointer(to: oldHeld.count - width), count: width)
      oldHeld.shorten(to: oldHeld.count - width)
      bringBack(floor.pointer(to: 0))
    }
    isHeld[own] = events[event].wasHeld
    for place in events[event].lessons.range.reversed() {
      bringBack(known.pointer(to: Int(lessons[place].actor) * width))
    }
    bringBack(known.pointer(to: own * width))
    counts[own] -= 1
  }

  /// Takes the last events away.
  mutating func truncate(to count: Int) {
    guard count < events.count else { return }
    var event = events.count
    while event > count {
      event -= 1
      unlearn(event)
    }
    let firstAccess = Int(events[count].accesses.start)
    var place = accesses.count
    while place > firstAccess {
      place -= 1
      _ = last.exchange(accesses[place].object, links[place].previous)
    }
    while let event = total.last, event >= count { total.shorten(to: total.count - 1) }
    held.shorten(to: Int(events[count].held.start))
    lessons.shorten(to: Int(events[count].lessons.start))
    accesses.shorten(to: firstAccess)
    links.shorten(to: firstAccess)
    events.shorten(to: count)
    pasts.shorten(to: count * width)
    clocks.shorten(to: count * width)
  }

  @inline(__always)
  private mutating func makeRoom(for actor: Int32) {
    if Int(actor) >= actorCount { widen(to: Int(actor) + 1) }
  }

  @inline(never)
  private mutating func widen(to count: Int) {
    actorCount = count
    guard actorCount > width else { return }
    let old = width
    while width < actorCount { width *= 2 }
    pasts = relaid(pasts, old)
    clocks = relaid(clocks, old)
    forgetKnowledge()
    for event in events.indices {
      counts[Int(events[event].actor)] += 1
      learn(event)
    }
  }

  /// As it is without events.
  private mutating func forgetKnowledge() {
    known.fill(width * width, with: 0)
    counts.fill(width, with: 0)
    floor.fill(width, with: 0)
    isHeld.fill(width, with: false)
    oldRows.shorten(to: 0)
    oldHeld.shorten(to: 0)
  }

  private func relaid(_ rows: borrowing Stack<Int32>, _ old: Int) -> Stack<Int32> {
    var result = Stack<Int32>(capacity: 2 * (rows.count / old + 8) * width)
    for row in 0..<rows.count / old {
      let new = result.extend(by: width)
      new.update(repeating: 0, count: width)
      new.update(from: rows.pointer(to: row * old), count: old)
    }
    return result
  }

  // MARK: Telling traces apart

  private func mixer(_ index: Int, _ actor: Int32, _ alternative: Int32) -> TraceHash.Mixer {
    var own = TraceHash.Mixer()
    own.mix(UInt64(bitPattern: Int64(actor)) << 32 | UInt64(UInt32(counts[Int(actor)])))
    own.mix(UInt64(bitPattern: Int64(alternative)))
    let clock = clocks.pointer(to: index * width)
    for other in 0..<actorCount where clock[other] != 0 {
      own.mix(UInt64(other) << 32 | UInt64(UInt32(clock[other])))
    }
    return own
  }
}

extension Trail.Event {
  /// Counts itself among what is known of the run.
  @inline(__always)
  fileprivate mutating func count(isPreemption: Bool) {
    if isPreemption { totals.preemptions += 1 }
    if choice > 0 { totals.choices += 1 }
    if enabledCount > 1 || alternatives > 1 { totals.choicePoints += 1 }
    if movedClock { totals.movedClock = true }
    totals.chance /= Double(enabledCount * alternatives)
  }
}
