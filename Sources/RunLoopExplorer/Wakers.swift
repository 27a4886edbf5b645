import RunLoopEngine

/// The operations of a script that wake a run loop or end its run, or wake who waits for a condition, as they were seen in
/// runs; so that the report of a thread that waits for ever can say who could have woken it.
struct Wakers {
  /// What an operation does to a loop that waits.
  enum Effect: Hashable {
    /// It comes out of its wait.
    case wakes
    /// Its innermost run ends.
    case stops
    /// Nothing, until somebody wakes it.
    case waitsForWakeUp
    /// It has only to do with who looks at a flag.
    case setsFlag
  }

  /// What it is done to, by name: handles may differ from run to run.
  enum Target: Hashable {
    case loop(String)
    case source(String)
    case port(String)
    case timer(String)
    case condition(String)
    case thread(String)
  }

  struct Waker: Hashable {
    var target: Target
    var effect: Effect
    /// Thread, operation and place.
    var words: String

    /// Whether it is done to a run loop or to what is in one.
    var isOfLoop: Bool {
      switch target {
      case .condition, .thread: false
      case .loop, .source, .port, .timer: true
      }
    }
  }

  private(set) var all: [Waker] = []
  private var known: Set<Waker> = []

  /// Who wakes loops is learned from so many runs.
  private static let runs = 256

  /// Learns from the first runs of an exploration: always the same, whoever explores the script.
  init(of run: ScriptRun, reduces: Bool) {
    if reduces { learn(OptimalReduction(run), run) } else { learn(Enumeration(run), run) }
  }

  private mutating func learn(_ search: consuming some Search & ~Copyable, _ run: ScriptRun) {
    for _ in 0..<Self.runs {
      if case .over = search.nextRun() { return }
      learn(run)
    }
  }

  /// Learns the operations of a run that has ended.
  private mutating func learn(_ run: ScriptRun) {
    for step in run.taken {
      guard let waker = Self.waker(step, run), known.insert(waker).inserted else { continue }
      all.append(waker)
    }
  }

  /// What a step is to loops; nil: nothing.
  static func waker(_ step: ScriptRun.Taken, _ run: ScriptRun) -> Waker? {
    guard let operation = step.operation, let (target, effect) = meaning(operation, run.session.simulation) else {
      return nil
    }
    let words = OperationText.describe(operation, run.session.simulation)
    return Waker(
      target: target, effect: effect, words: "\(run.name(of: step.actor)): \(words) at \(run.placeText(step.position))")
  }

  private static func meaning(_ operation: Operation, _ simulation: borrowing Simulation) -> (Target, Effect)? {
    func name(_ thread: ThreadID) -> String { simulation.names[simulation.name(of: thread)] }
    func owner(_ loop: LoopID) -> String { name(simulation.thread(of: loop)) }
    switch operation {
    case .stop(let loop): return (.loop(owner(loop)), .stops)
    case .wakeUp(let loop), .add(.timer, let loop, _): return (.loop(owner(loop)), .wakes)
    case .performBlock(let loop, _, _): return (.loop(owner(loop)), .waitsForWakeUp)
    case .perform(let thread, _): return (.loop(name(thread)), .wakes)
    case .mainQueueAsync, .mainQueueSync: return (.loop(name(.main)), .wakes)
    case .signal(let source): return (.source(simulation.names[simulation.name(of: source)]), .waitsForWakeUp)
    case .send(let port, _, _, _, _): return (.port(simulation.names[simulation.name(of: port)]), .wakes)
    case .setNextFireDate(let timer, _): return (.timer(simulation.names[simulation.name(of: timer)]), .wakes)
    case .signalCondition(let lock, _): return (.condition(simulation.names[simulation.name(of: lock)]), .wakes)
    case .cancelThread(let thread): return (.thread(name(thread)), .setsFlag)
    default: return nil
    }
  }

  /// The loop that a step of these is for directly.
  static func loop(of operation: Operation?) -> LoopID? {
    switch operation {
    case .stop(let loop), .wakeUp(let loop), .performBlock(let loop, _, _): loop
    default: nil
    }
  }
}
