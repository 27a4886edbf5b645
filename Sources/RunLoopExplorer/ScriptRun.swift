import RunLoopEngine
import RunLoopScript

/// A script, to be explored.
public final class ScriptRun: Explorable {
  /// A state to come back to.
  final class Snapshot {
    fileprivate let saved: Session.Saved
    fileprivate let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)

    fileprivate init(_ saved: Session.Saved) {
      self.saved = saved
      record.initialize(to: Record())
    }

    deinit {
      record.deinitialize(count: 1)
      record.deallocate()
    }
  }

  /// What is known of the run so far.
  struct Record {
    /// How it ended; nil while it goes on.
    var outcome: Outcome?
    /// A number for the text trace.
    var order: UInt64 = 0
    /// A number for what each thread has done, from -1 (none of them) on; only where it is wanted.
    var behaviours: [UInt64] = []
    /// Lines of faults.
    var faults: [FaultLine] = []
    /// How many steps were taken.
    var depth = 0
    /// Callouts and steps of the clock, and how many steps were taken before the last of them.
    var progress: UInt64 = 0
    var calmSince = 0
    /// The search of a state that came back for a circle in which everybody has a turn.
    var pursuit: Pursuit?
    /// The state came back, and what follows from it follows from its first time.
    var isCut = false
    /// Whether a step took a lock, or tried to.
    var tookLock = false
    /// Whether a step touched an `rl.shared`.
    var touchedShared = false

    /// Becomes a copy of another. What has memory of its own is mostly not there, or empty.
    fileprivate mutating func assign(_ other: UnsafePointer<Record>) {
      if outcome != nil || other.pointee.outcome != nil { outcome = other.pointee.outcome }
      order = other.pointee.order
      if !behaviours.isEmpty || !other.pointee.behaviours.isEmpty { behaviours = other.pointee.behaviours }
      if !faults.isEmpty || !other.pointee.faults.isEmpty { faults = other.pointee.faults }
      depth = other.pointee.depth
      progress = other.pointee.progress
      calmSince = other.pointee.calmSince
      pursuit = other.pointee.pursuit
      isCut = other.pointee.isCut
      tookLock = other.pointee.tookLock
      touchedShared = other.pointee.touchedShared
    }
  }

  /// What was done at each step, and where.
  struct Taken {
    var actor: Int32
    var operation: Operation?
    var position: Position
  }

  public let session: Session

  // What changes with every step lies behind pointers, as the state of `Session`: so a step costs no checks of exclusive
  // access.
  private let recordPointer = UnsafeMutablePointer<Record>.allocate(capacity: 1)
  private let takenPointer = UnsafeMutablePointer<[Taken]>.allocate(capacity: 1)
  private let watchPointer = UnsafeMutablePointer<StateWatch>.allocate(capacity: 1)

  var record: Record {
    @inline(__always) unsafeAddress { UnsafePointer(recordPointer) }
    @inline(__always) unsafeMutableAddress { recordPointer }
  }

  /// The steps of the run so far.
  private(set) var taken: [Taken] {
    @inline(__always) unsafeAddress { UnsafePointer(takenPointer) }
    @inline(__always) unsafeMutableAddress { takenPointer }
  }

  /// Whether and how states that come back are noticed.
  var watch: StateWatch {
    @inline(__always) unsafeAddress { UnsafePointer(watchPointer) }
    @inline(__always) unsafeMutableAddress { watchPointer }
  }

  /// Is given the events of each step before they are forgotten.
  var observer: ((borrowing Simulation) -> Void)?
  /// After so many steps a run is broken off.
  var maximumSteps = 10_000
  private(set) var wasBrokenOff = false
  /// Whether the run has ended where a state came back, as nothing new can follow.
  private(set) var wasCut = false
  /// Whether threads have done what depends on more than their steps tell.
  var dependedOnMore = false
  /// When the state of now was there before: after how many steps.
  var returnedTo: Int?
  /// Whether `behaviour` is wanted.
  var keepsBehaviour = false
  private let timeIsFree: Bool
  private var beginning: Snapshot?
  /// Snapshots that were given back: what is explored in parts needs as many for each of them.
  private var spares: [Snapshot] = []
  /// How many of the first steps are the same as when `sawAll()` was called last.
  private(set) var sameSteps = 0

  public init(_ options: ScriptOptions, _ settings: Schedule.Settings) {
    var exploration = Configuration.Exploration()
    exploration.timeIsFree = settings.timeIsFree
    exploration.isUnfair = settings.isUnfair
    exploration.spuriousWakeups = settings.spuriousWakeups
    exploration.endsAreSteps = ThreadEnds.areAsked(by: options)
    var options = options
    options.configuration.exploration = exploration
    timeIsFree = settings.timeIsFree
    session = Session(options)
    recordPointer.initialize(to: Record())
    takenPointer.initialize(to: [])
    watchPointer.initialize(to: StateWatch())
  }

  deinit {
    recordPointer.deinitialize(count: 1)
    recordPointer.deallocate()
    takenPointer.deinitialize(count: 1)
    takenPointer.deallocate()
    watchPointer.deinitialize(count: 1)
    watchPointer.deallocate()
  }

  /// Whoever looks at runs one after the other has seen all steps of this one.
  func sawAll() { sameSteps = record.depth }

  /// Whether the run has ended at a limit of its own: of memory, instructions, virtual time.
  var reachedLimit: Bool {
    switch record.outcome?.kind {
    case .limit, .ended(.limit): true
    default: false
    }
  }

  /// Whether this run, which has ended, is the only interleaving of its trace, and its own figures are what a
  /// `TraceAnalyzer` would come to.
  ///
  /// The latter is so when whoever could go on at some place of the run has taken that step later, so that the trace shows
  /// that they could: when nobody is left before a step, and time has passed nobody over.
  func isOnlyInterleaving(of trail: borrowing Trail) -> Bool {
    guard trail.totals.isChain, !trail.totals.movedClock, case .ended(.returned) = record.outcome?.kind else {
      return false
    }
    return session.simulation.blockedAtEnd.isEmpty
  }

  /// What an actor is called.
  func name(of actor: Int32) -> String {
    actor == clockActor ? "clock" : session.simulation.names[session.simulation.name(of: ThreadID(rawValue: actor - 1))]
  }

  /// What an actor is about to do.
  func describeNext(of actor: Int32) -> String {
    if actor == clockActor { return "clock" }
    guard let pending = session.simulation.pending(of: ThreadID(rawValue: actor - 1)) else { return "wake" }
    return OperationText.describe(pending.operation, session.simulation)
  }

  /// The step that an actor takes when it is chosen now.
  func nextStep(of actor: Int32) -> Taken {
    guard actor != clockActor, let pending = session.simulation.pending(of: ThreadID(rawValue: actor - 1)) else {
      return Taken(actor: actor, operation: nil, position: .unknown)
    }
    return Taken(actor: actor, operation: pending.operation, position: pending.position)
  }

  // MARK: Explorable

  func start() {
    wasBrokenOff = false
    wasCut = false
    if let beginning { return restore(beginning) }
    // It ended before there was anything to choose: that is where all runs end.
    if record.outcome != nil { return }
    let outcome = session.advanceToChoice()
    drain()
    record.outcome = outcome
    record.progress = session.simulation.progress
    if outcome == nil { beginning = save(reusing: nil) }
  }

  func save(reusing spare: Snapshot?) -> Snapshot {
    guard var snapshot = spare ?? spares.popLast() else {
      let snapshot = Snapshot(session.save())
      snapshot.record.pointee.assign(recordPointer)
      return snapshot
    }
    save(into: &snapshot)
    return snapshot
  }

  func giveBack(_ snapshot: Snapshot) { spares.append(snapshot) }

  func save(into snapshot: inout Snapshot) {
    session.save(into: snapshot.saved)
    snapshot.record.pointee.assign(recordPointer)
  }

  func restore(_ snapshot: Snapshot) { restore(snapshot, isLast: false) }
  func restoreLast(_ snapshot: Snapshot) { restore(snapshot, isLast: true) }

  private func restore(_ snapshot: Snapshot, isLast: Bool) {
    session.restore(snapshot.saved, isLast: isLast)
    record.assign(snapshot.record)
    taken.shorten(to: record.depth)
    watch.truncate(to: record.depth)
    sameSteps = min(sameSteps, record.depth)
    wasBrokenOff = false
    wasCut = false
  }

  func look(after last: Int32, into point: inout ChoicePoint) {
    point.clear()
    if record.outcome != nil { return lookAtEnd(&point) }
    if record.depth >= maximumSteps {
      wasBrokenOff = true
      return
    }
    for candidate in session.candidates() {
      let actor = candidate.thread.rawValue + 1
      if candidate.isEnabled {
        point.enabled.append(actor)
        if actor == last { Self.bringForward(&point.enabled) }
      } else {
        addBlocked(candidate, &point)
      }
    }
    if session.clockCanMove { point.enabled.append(clockActor) }
    if record.isCut { cut(&point) }
    if let pursuit = record.pursuit, !point.lead(to: pursuit.actor, after: last) { cut(&point) }
  }

  /// Makes the last of a few the first.
  private static func bringForward(_ actors: inout [Int32]) {
    for place in stride(from: actors.count - 1, to: 0, by: -1) { actors.swapAt(place, place - 1) }
  }

  /// Who could still have gone on when the run ended, and who could not.
  private func lookAtEnd(_ point: inout ChoicePoint) {
    for candidate in session.simulation.blockedAtEnd {
      if candidate.isEnabled {
        point.cutOff.append(CutOffActor(actor: candidate.thread.rawValue + 1, need: candidate.need.map(need)))
      } else {
        addBlocked(candidate, &point)
      }
    }
    guard timeIsFree else { return }
    if session.simulation.hasDates {
      point.cutOff.append(CutOffActor(actor: clockActor, need: need(Explored.dates)))
    } else {
      point.blocked.append(BlockedActor(actor: clockActor, need: need(Explored.dates)))
    }
  }

  private func cut(_ point: inout ChoicePoint) {
    point.clear()
    wasCut = true
  }

  private func addBlocked(_ candidate: Candidate, _ point: inout ChoicePoint) {
    guard let what = candidate.need else { return }
    point.blocked.append(BlockedActor(actor: candidate.thread.rawValue + 1, need: need(what)))
  }

  private func need(_ need: Explored.Need) -> Need { Need(object: number(of: need.object), bits: need.bits) }

  func take(_ actor: Int32, _ alternative: Int32, into step: inout StepRecord) {
    let next = nextStep(of: actor)
    if next.isLock { record.tookLock = true }
    taken.append(next)
    if actor == clockActor {
      session.simulation.chooseClock()
    } else {
      session.simulation.choose(ThreadID(rawValue: actor - 1), alternative: alternative)
    }
    record.depth += 1
    let outcome = session.advanceToChoice()
    describe(&step)
    if session.simulation.dependsOnMore { dependedOnMore = true }
    if let outcome {
      // When the clock had to move first, nobody was left who could have gone on.
      step.cutsOff = !step.movedClock && cutsOff(outcome)
      drain()
      record.outcome = outcome
    } else {
      drain()
      lookForCircle()
    }
  }

  /// Whether others come before the step that ends the run, or never: those that could have gone on, and those that
  /// were just in time.
  private func cutsOff(_ outcome: Outcome) -> Bool {
    for candidate in session.simulation.blockedAtEnd where candidate.isEnabled { return true }
    if timeIsFree, session.simulation.hasDates { return true }
    return outcome.kind == .scriptError || session.simulation.leavesOthersBehind
  }

  private func describe(_ step: inout StepRecord) {
    let explored = session.simulation.readStep()
    for touch in explored.touches {
      let object = Self.number(of: touch.number)
      if RaceDetector.isShared(object) { record.touchedShared = true }
      step.add(Touch(object, changes: touch.changes, before: touch.before, after: touch.after))
    }
    for lesson in explored.lessons { step.lessons.append(Lesson(lesson.thread + 1, from: lesson.from + 1)) }
    if let what = explored.need { step.need = need(what) }
    step.alternatives = explored.alternatives
    step.movedClock = explored.movedClock
    for thread in explored.held { step.held.append(thread + 1) }
  }

  private func number(of object: Int64) -> UInt32 { Self.number(of: session.simulation.number(of: object)) }

  /// A number of 32 bits for what the engine has 64 for: the kind above the object's own.
  @inline(__always)
  private static func number(of object: Int64) -> UInt32 {
    if object == RunLoopEngine.Access.everything { return Touch.everything }
    return UInt32(truncatingIfNeeded: object >> 32) << 24 | UInt32(truncatingIfNeeded: object) & 0xFF_FFFF
  }

  // MARK: Events

  func drain() {
    guard session.hasEvents else { return }
    observer?(session.simulation)
    session.drainEvents { event, simulation in
      record.order = OrderHash.add(event, of: simulation, to: record.order)
      if keepsBehaviour, event.kind != .fault { addToBehaviour(event, simulation) }
      guard event.kind == .fault || event.kind == .expectFail else { return }
      if let line = FaultLine(event, simulation) { record.faults.append(line) }
    }
  }

  private func addToBehaviour(_ event: Event, _ simulation: borrowing Simulation) {
    // With a free clock the same may happen at many times.
    var event = event
    if timeIsFree { event.time = 0 }
    let index = Int(event.thread.rawValue) + 1
    while record.behaviours.count <= index { record.behaviours.append(0) }
    record.behaviours[index] = OrderHash.add(event, of: simulation, to: record.behaviours[index])
  }

  /// A number for what each thread has done in the run, whatever the others did meanwhile.
  var behaviour: UInt64 {
    record.behaviours.reduce(0) { ($0 ^ $1) &* 0x9E37_79B9_7F4A_7C15 &+ ($0 >> 29) }
  }
}

/// A line of a fault, or an expectation that failed.
struct FaultLine: Hashable, Sendable {
  var kind: String
  var thread: String
  var text: String

  init?(_ event: Event, _ simulation: borrowing Simulation) {
    switch event.kind {
    case .fault:
      kind = FaultKind(rawValue: event.a).map { "\($0)" } ?? "fault"
    case .expectFail:
      kind = "expectation"
    default: return nil
    }
    thread = event.thread.isNone ? "" : simulation.names[simulation.name(of: event.thread)]
    let range = Int(event.textStart)..<Int(event.textStart + event.textLength)
    text = String(decoding: simulation.text[range], as: UTF8.self)
    if event.kind == .expectFail, event.position.line > 0 {
      text += " at \(simulation.names[event.position.file]):\(event.position.line)"
    }
  }
}
