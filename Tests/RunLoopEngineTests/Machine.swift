@testable import RunLoopEngine

/// A host for the engine without Lua: its "functions" are lists of instructions, its threads stacks of them.
///
/// A value, so that a copy of it is a snapshot of a whole run.
struct Machine: Sendable {
  var simulation: Simulation
  /// What happened, in order.
  private(set) var records: [Record] = []
  private(set) var reason: EndReason?
  /// The items and threads of the program by name.
  var items: [String: Item] = [:]
  var threads: [String: ThreadID] = ["main": .main]
  var locks: [String: LockID] = [:]
  var semaphores: [String: SemaphoreID] = [:]
  var atomics: [String: AtomicID] = [:]
  var cells: [String: SharedID] = [:]
  var objects: [String: ObjectID] = [:]
  var pools: [String: PoolID] = [:]
  var tokens: [String: NotificationToken] = [:]
  /// What the function that is being called returns.
  var returnValue = HostValue.none
  /// How often each counted place of the program was passed.
  var counts: [String: Int] = [:]
  private var procedures: [[Instruction]] = [[]]
  private var stacks: [[Activation]] = []

  /// A body being carried out.
  private struct Activation: Sendable {
    enum Kind: Sendable { case callout, inline, protected }
    var kind: Kind
    var body: [Instruction]
    var next = 0
    var receive: @Sendable (inout Machine, OperationResult, ThreadID) -> Void = { _, _, _ in }
  }

  /// A machine that is about to run `main`.
  init(_ configuration: Configuration = Configuration(), main: [Instruction]) {
    simulation = Simulation(configuration, mainEntry: HostValue(rawValue: 1))
    procedures.append(main)
  }

  // MARK: Names

  /// Stores a body as a function that the engine can ask to be called; none for an empty one.
  mutating func procedure(_ body: [Instruction]) -> HostValue {
    if body.isEmpty { return .none }
    procedures.append(body)
    return HostValue(rawValue: Int64(procedures.count - 1))
  }

  mutating func name(_ text: String) -> NameID { simulation.names.intern(text) }

  func item(_ name: String) -> Item {
    guard let item = items[name] else { fatalError("the program has no item \(name)") }
    return item
  }

  func thread(_ name: String) -> ThreadID {
    guard let thread = threads[name] else { fatalError("the program has no thread \(name)") }
    return thread
  }

  func timer(_ name: String) -> TimerID {
    guard case .timer(let timer) = item(name) else { fatalError("\(name) is no timer") }
    return timer
  }

  func port(_ name: String) -> PortID {
    guard case .port(let port) = item(name) else { fatalError("\(name) is no port") }
    return port
  }

  /// The loop of a thread, of the current one for nil; made when there is none.
  mutating func loop(_ name: String?, _ current: ThreadID) -> LoopID {
    let thread = name.map { self.thread($0) } ?? current
    if simulation.hasEnded(thread), let gone = goneLoops[thread] { return gone }
    let loop = simulation.currentLoop(of: thread)
    goneLoops[thread] = loop
    return loop
  }
  private var goneLoops: [ThreadID: LoopID] = [:]

  mutating func log(_ text: String, on thread: ThreadID) {
    var text = text
    text.withUTF8 { simulation.log($0, on: thread) }
  }

  /// Fires that came without `calloutReturned`.
  private(set) var quietFires = 0
  /// How often the engine came back with nothing but events, and the most of them.
  private(set) var restCount = 0
  private(set) var mostEvents = 0

  // MARK: Running

  /// Runs to the end.
  @discardableResult
  mutating func run() -> EndReason {
    while true {
      if let reason = turn() { return reason }
    }
  }

  /// Runs one turn; the reason of the end at the end.
  mutating func turn() -> EndReason? {
    switch simulation.nextTurn() {
    case .start(let thread), .resume(let thread):
      while stacks.count <= thread.rawValue { stacks.append([]) }
      drive(thread)
      drain()
      return nil
    case .ended(let ending):
      drain()
      reason = ending
      return ending
    }
  }

  private mutating func drain() {
    for event in simulation.events { records.append(Record(event, simulation)) }
    simulation.removeEvents()
  }

  private mutating func drive(_ thread: ThreadID) {
    let index = Int(thread.rawValue)
    var step = simulation.continueThread(thread)
    while true {
      switch step {
      case .parked: return
      case .unfinished:
        restCount += 1
        mostEvents = max(mostEvents, simulation.events.count)
        drain()
        step = simulation.continueThread(thread)
        continue
      case .raise:
        if let next = raise(thread) {
          step = next
          continue
        }
        if stacks[index].isEmpty { return }
      case .call(let callout):
        let body = procedures[Int(callout.callback.rawValue)]
        stacks[index].append(Activation(kind: .callout, body: body))
      case .result(let result):
        guard let top = stacks[index].last else { return }
        if case .failure(let failure) = result { log("!\(failure.word)", on: thread) }
        top.receive(&self, result, thread)
      }
      guard let next = execute(thread) else { return }
      step = next
    }
  }

  /// Carries out instructions until one of them leads to a step of the engine; nil when an error ended the process.
  private mutating func execute(_ thread: ThreadID) -> Step? {
    let index = Int(thread.rawValue)
    while let top = stacks[index].last {
      guard top.next < top.body.count else {
        stacks[index].removeLast()
        guard top.kind == .callout else { continue }
        defer { returnValue = .none }
        if returnValue == .none, let fire = simulation.fireNextQuietly(on: thread, moreEventsThan: .max) {
          quietFires += 1
          return .call(Callout(kind: .timer, callback: fire.callback, object: fire.timer.rawValue))
        }
        return simulation.calloutReturned(on: thread, failed: false, value: returnValue)
      }
      stacks[index][stacks[index].count - 1].next += 1
      switch top.body[top.next].body(&self, thread) {
      case .next: continue
      case .enter(let body): stacks[index].append(Activation(kind: .inline, body: body))
      case .protect(let body): stacks[index].append(Activation(kind: .protected, body: body))
      case .raise:
        if let step = raise(thread) { return step }
        if stacks[index].isEmpty { return nil }
      case .perform(let operation, let line, let receive):
        if case .exitThread = operation {
          stacks[index] = []
        } else {
          stacks[index][stacks[index].count - 1].receive = receive
        }
        let position = Position(file: simulation.names.intern("test"), line: line)
        return simulation.perform(operation, on: thread, at: position)
      }
    }
    return nil
  }

  /// Leaves bodies until a protected one, or a callout's end: the step that follows it. With nil and nothing left, the
  /// process is over.
  private mutating func raise(_ thread: ThreadID) -> Step? {
    let index = Int(thread.rawValue)
    while let top = stacks[index].popLast() {
      if top.kind == .protected { return nil }
      if top.kind == .callout, !stacks[index].isEmpty {
        return simulation.calloutReturned(on: thread, failed: true, value: .none)
      }
    }
    simulation.scriptFailed(on: thread)
    return nil
  }
}

/// One thing that a program does.
struct Instruction: Sendable {
  /// What the machine has to do for an instruction.
  enum Effect: Sendable {
    case next
    /// Goes on with another body, then comes back.
    case enter([Instruction])
    /// The same, and an error in it ends there.
    case protect([Instruction])
    case raise
    case perform(Operation, line: Int32, @Sendable (inout Machine, OperationResult, ThreadID) -> Void)
  }
  var body: @Sendable (inout Machine, ThreadID) -> Effect
  init(_ body: @escaping @Sendable (inout Machine, ThreadID) -> Effect) { self.body = body }
}

/// Lets a body be written as a list of instructions.
@resultBuilder
enum Body {
  static func buildExpression(_ instruction: Instruction) -> [Instruction] { [instruction] }
  static func buildExpression(_ instructions: [Instruction]) -> [Instruction] { instructions }
  static func buildBlock(_ parts: [Instruction]...) -> [Instruction] { parts.flatMap { $0 } }
  static func buildArray(_ parts: [[Instruction]]) -> [Instruction] { parts.flatMap { $0 } }
  static func buildOptional(_ part: [Instruction]?) -> [Instruction] { part ?? [] }
  static func buildEither(first: [Instruction]) -> [Instruction] { first }
  static func buildEither(second: [Instruction]) -> [Instruction] { second }
}

extension OperationFailure {
  /// The kind of the failure in a word: the name of its case.
  var word: String { String("\(self)".prefix { $0 != "(" }) }
}
