import RunLoopEngine

/// What an operation is called in schedules and reports: a verb, and the object's name.
enum OperationText {
  static func describe(_ operation: Operation?, _ simulation: borrowing Simulation) -> String {
    guard let operation else { return "clock" }
    let verb = verb(operation)
    let object = object(operation, simulation)
    return object.isEmpty ? verb : "\(verb) \(object)"
  }

  /// The name of the case is the verb, but for some.
  private static func verb(_ operation: Operation) -> String {
    switch operation {
    case .getShared: "get"
    case .setShared: "set"
    case .waitForSemaphore, .waitForCondition, .waitForConditionUntil: "wait"
    case .signalSemaphore: "signal"
    case .signalCondition(_, let all): all ? "broadcast" : "signal"
    case .retakeLock: "retake"
    case .threadState(_, let query): word(query)
    case .atomic(_, let action): word(action)
    case .takeSources: "takeSources"
    case .takeBlocks: "takeBlocks"
    case .takePort: "takePort"
    case .look(let subject): word(subject)
    default: word(operation)
    }
  }

  private static func word(_ value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }

  private static func object(_ operation: Operation, _ simulation: borrowing Simulation) -> String {
    let name: NameID
    switch operation {
    case .lock(let lock), .tryLock(let lock), .lockBefore(let lock, _), .unlock(let lock), .readLock(let lock),
      .writeLock(let lock), .tryReadLock(let lock), .tryWriteLock(let lock), .breakLock(let lock),
      .lockWhen(let lock, _, _), .unlockWith(let lock, _), .conditionValue(let lock), .waitForCondition(let lock),
      .waitForConditionUntil(let lock, _), .signalCondition(let lock, _), .synchronized(let lock, _),
      .once(let lock, _), .retakeLock(let lock):
      name = simulation.name(of: lock)
    case .waitForSemaphore(let semaphore, _), .signalSemaphore(let semaphore): name = simulation.name(of: semaphore)
    case .atomic(let atomic, _): name = simulation.name(of: atomic)
    case .getShared(let cell), .setShared(let cell, _, _): name = simulation.name(of: cell)
    case .signal(let source), .isSignalled(let source): name = simulation.name(of: source)
    case .send(let port, _, _, _, _): name = simulation.name(of: port)
    case .fireTimer(let timer), .setNextFireDate(let timer, _), .setTolerance(let timer, _):
      name = simulation.name(of: timer)
    case .startThread(let thread), .join(let thread), .detach(let thread), .cancelThread(let thread),
      .threadState(let thread, _), .perform(let thread, _):
      name = simulation.name(of: thread)
    case .runInMode(let loop, _, _, _), .run(let loop), .runMode(let loop, _, _), .runUntil(let loop, _),
      .runForever(let loop), .stop(let loop), .wakeUp(let loop), .takeSources(let loop), .takeBlocks(let loop),
      .takePort(let loop), .performBlock(let loop, _, _):
      name = simulation.name(of: simulation.thread(of: loop))
    case .look(.loop(let loop)): name = simulation.name(of: simulation.thread(of: loop))
    case .look(.loopOf(let thread)), .look(.newLoop(let thread)), .look(.thread(let thread)),
      .look(.dictionary(let thread)):
      name = simulation.name(of: thread)
    case .add(let item, _, _), .remove(let item, _, _), .contains(let item, _, _), .invalidate(let item),
      .look(.item(let item)):
      switch item {
      case .source(let source): name = simulation.name(of: source)
      case .port(let port): name = simulation.name(of: port)
      case .timer(let timer): name = simulation.name(of: timer)
      case .observer(let observer): name = simulation.name(of: observer)
      }
    default: return ""
    }
    return name == .none ? "" : simulation.names[name]
  }
}
