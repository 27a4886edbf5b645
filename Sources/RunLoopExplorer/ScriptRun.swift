import RunLoopEngine
import RunLoopScript

/// A script, to be explored.
public final class ScriptRun: Explorable {
  /// A state to come back to.
  public struct Snapshot {
    fileprivate var saved: Session.Saved
    fileprivate var record: Record
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
  }

  /// What was done at each step, and where.
  struct Taken {
    var actor: Int32
    var operation: Operation?
    var position: Position
  }

  public let session: Session
  var record = Record()
  private(set) var taken: [Taken] = []
  /// Is given the events of each step before they are forgotten.
  var observer: ((borrowing Simulation) -> Void)?
  /// After so many steps a run is broken off.
  var maximumSteps = 10_000
  private(set) var wasBrokenOff = false
  /// Whether and how states that come back are noticed.
  var watch = StateWatch()
  /// Whether the run has ended where a state came back, as nothing new can follow.
  private(set) var wasCut = false
  /// Whether threads that were due at the same moment have done what depends on which of them went on first, which no
  /// step tells.
  var dependedOnMoment = false
  /// When the state of now was there before: after how many steps.
  var returnedTo: Int?
  /// Whether `behaviour` is wanted.
  var keepsBehaviour = false
  private var beginning: Snapshot?
  var candidates: [Candidate] = []

  public init(_ options: ScriptOptions, _ settings: Schedule.Settings) {
    var exploration = Configuration.Exploration()
    exploration.timeIsFree = settings.timeIsFree
    exploration.isUnfair = settings.isUnfair
    exploration.spuriousWakeups = settings.spuriousWakeups
    var options = options
    options.configuration.exploration = exploration
    session = Session(options)
  }

  /// Whether the run has ended at a limit of its own: of memory, instructions, virtual time.
  var reachedLimit: Bool {
    switch record.outcome?.kind {
    case .limit, .ended(.limit): true
    default: false
    }
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

  public func start() {
    wasBrokenOff = false
    wasCut = false
    if let beginning { return restore(beginning) }
    let outcome = session.advanceToChoice()
    drain()
    record.outcome = outcome
    record.progress = session.simulation.progress
    if outcome == nil { beginning = save(reusing: nil) }
  }

  public func save(reusing spare: Snapshot?) -> Snapshot {
    Snapshot(saved: session.save(reusing: spare?.saved), record: record)
  }

  public func restore(_ snapshot: Snapshot) {
    session.restore(snapshot.saved)
    record = snapshot.record
    taken.removeSubrange(record.depth...)
    watch.truncate(to: record.depth)
    wasBrokenOff = false
    wasCut = false
  }

  public func look(after last: Int32, into point: inout ChoicePoint) {
    point.clear()
    if record.outcome != nil {
      for candidate in session.simulation.explored.blockedAtEnd {
        if candidate.isEnabled {
          point.cutOff.append(candidate.thread.rawValue + 1)
        } else {
          addBlocked(candidate, &point)
        }
      }
      return
    }
    if record.depth >= maximumSteps {
      wasBrokenOff = true
      return
    }
    candidates.removeAll(keepingCapacity: true)
    session.simulation.listCandidates(&candidates)
    for candidate in candidates {
      let actor = candidate.thread.rawValue + 1
      if !candidate.isEnabled {
        addBlocked(candidate, &point)
      } else if actor == last {
        point.enabled.insert(actor, at: 0)
      } else {
        point.enabled.append(actor)
      }
    }
    if session.simulation.clockCanMove { point.enabled.append(clockActor) }
    if record.isCut { cut(&point) }
    if let pursuit = record.pursuit, !point.lead(to: pursuit.actor, after: last) { cut(&point) }
  }

  private func cut(_ point: inout ChoicePoint) {
    point.clear()
    wasCut = true
  }

  private func addBlocked(_ candidate: Candidate, _ point: inout ChoicePoint) {
    guard let need = candidate.need else { return }
    point.blocked.append(
      BlockedActor(
        actor: candidate.thread.rawValue + 1, need: Need(object: number(of: need.object), bits: need.bits)))
  }

  public func take(_ actor: Int32, _ alternative: Int32, into step: inout StepRecord) {
    taken.append(nextStep(of: actor))
    if actor == clockActor {
      session.simulation.chooseClock()
    } else {
      session.simulation.choose(ThreadID(rawValue: actor - 1), alternative: alternative)
    }
    record.depth += 1
    let outcome = session.advanceToChoice()
    describe(&step)
    if session.simulation.explored.dependsOnMoment { dependedOnMoment = true }
    step.cutsOff = outcome.map { cutsOff($0) } ?? false
    drain()
    record.outcome = outcome
    if outcome == nil { lookForCircle() }
  }

  /// Whether others come before the step that ends the run, or never: those that could have gone on, and those that
  /// were just in time.
  private func cutsOff(_ outcome: Outcome) -> Bool {
    if session.simulation.explored.blockedAtEnd.contains(where: \.isEnabled) { return true }
    switch outcome.kind {
    case .scriptError: return true
    case .ended(.returned): return session.simulation.hasDetachedThreads
    default: return false
    }
  }

  private func describe(_ step: inout StepRecord) {
    let explored = session.simulation.explored
    for touch in explored.touches {
      step.add(
        Touch(
          number(of: touch.object), changes: touch.changes, before: touch.before,
          after: touch.before == 0xFF ? 0xFF : session.simulation.availability(of: touch.object)))
    }
    for lesson in explored.lessons { step.lessons.append(Lesson(lesson.thread + 1, from: lesson.from + 1)) }
    if let need = explored.need { step.need = Need(object: number(of: need.object), bits: need.bits) }
    step.alternatives = explored.alternatives
    step.movedClock = explored.movedClock
    for thread in explored.held { step.held.append(thread + 1) }
  }

  /// An object's number in 32 bits: its kind above its own.
  private func number(of object: Int64) -> UInt32 {
    if object == RunLoopEngine.Access.everything { return Touch.everything }
    let object = session.simulation.number(of: object)
    return UInt32(truncatingIfNeeded: object >> 32) << 24 | UInt32(truncatingIfNeeded: object) & 0xFF_FFFF
  }

  // MARK: Events

  func drain() {
    let events = session.simulation.events
    guard !events.isEmpty else { return }
    observer?(session.simulation)
    for event in events {
      record.order = OrderHash.add(event, session.simulation, to: record.order)
      if keepsBehaviour, event.kind != .fault { addToBehaviour(event) }
      if let line = FaultLine(event, session.simulation) { record.faults.append(line) }
    }
    session.simulation.removeEvents()
  }

  private func addToBehaviour(_ event: Event) {
    let index = Int(event.thread.rawValue) + 1
    while record.behaviours.count <= index { record.behaviours.append(0) }
    record.behaviours[index] = OrderHash.add(event, session.simulation, to: record.behaviours[index])
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

/// A number for a sequence of events: the same for the same text trace.
enum OrderHash {
  static func add(_ event: Event, _ simulation: borrowing Simulation, to hash: UInt64) -> UInt64 {
    var hash = hash
    func mix(_ value: UInt64) {
      hash = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    mix(
      UInt64(event.kind.rawValue) | UInt64(event.flags) << 8 | UInt64(UInt32(bitPattern: event.thread.rawValue)) << 16)
    mix(UInt64(bitPattern: event.time))
    for name in [event.subject, event.mode, event.other] where name != .none {
      for byte in simulation.names[name].utf8 { mix(UInt64(byte)) }
    }
    mix(UInt64(bitPattern: event.a))
    mix(UInt64(bitPattern: event.b))
    mix(UInt64(bitPattern: event.c))
    if event.textLength > 0 {
      for place in Int(event.textStart)..<Int(event.textStart + event.textLength) {
        mix(UInt64(simulation.text[place]))
      }
    }
    return hash
  }
}
