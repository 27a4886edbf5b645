import CLuaHost
import RunLoopEngine

/// Locks that one thread holds at a time.
enum Mutexes {
  static let functions: [APIFunction] =
    [
      constructor("mutex", .mutex, .mutex, gives: "rl.Mutex", doc: "Makes a mutex."),
      constructor(
        "recursiveMutex", .recursiveMutex, .recursiveMutex, gives: "rl.RecursiveMutex",
        doc: "Makes a mutex that its holder can lock again; it is free after as many unlocks."),
      constructor(
        "spinLock", .spinLock, .spinLock, gives: "rl.SpinLock",
        doc: "Makes a spin lock: a thread that waits for it keeps a processor busy."),
      constructor(
        "distributedLock", .distributedLock, .distributedLock, gives: "rl.DistributedLock",
        doc: "Makes a lock that is tried and never waited for."),
    ] + methods(.mutex) + methods(.recursiveMutex) + methods(.spinLock) + [
      LockMethods.tryLock(.distributedLock),
      LockMethods.unlock(.distributedLock, doc: "Gives it back: the next try takes it. Nobody waits for it."),
      .method(
        .distributedLock, "breakLock", options: .position,
        doc: "Frees it, whoever holds it: for a lock whose holder is gone."
      ) { _, arguments in .operation(.breakLock(arguments.lock)) },
    ]

  private static func constructor(
    _ name: StaticString, _ kind: LockKind, _ names: NameKind, gives type: String, doc: String
  ) -> APIFunction {
    let documentation = "`\(name)1`, …"
    return .function(
      name, fields: [.optional("name", .name, default: documentation, "its name in the trace")],
      gives: (type, "the new lock"), doc: doc
    ) { session, arguments throws(APIError) in
      let lock = session.simulation.makeLock(kind, name: try session.name(arguments, 0, names))
      return .value(.object(LockMethods.objectKind(kind), lock.rawValue))
    }
  }

  private static func methods(_ owner: ObjectKind) -> [APIFunction] {
    [
      LockMethods.lock(owner), LockMethods.unlock(owner), LockMethods.tryLock(owner),
      LockMethods.lockBefore(owner),
    ]
  }
}

/// Methods that several kinds of lock have.
enum LockMethods {
  static func lock(_ owner: ObjectKind) -> APIFunction {
    .method(
      owner, "lock", options: [.position, .quickLock],
      doc: "Takes it, or waits for it: first come, first served."
    ) { _, arguments in .operation(.lock(arguments.lock)) }
  }

  static func unlock(
    _ owner: ObjectKind, doc: String = "Gives it back; the thread that has waited longest has it at once."
  ) -> APIFunction {
    .method(
      owner, "unlock", options: [.position, .quickUnlock], doc: "\(doc) An error unless this thread holds it."
    ) { _, arguments in .operation(.unlock(arguments.lock)) }
  }

  static func tryLock(_ owner: ObjectKind) -> APIFunction {
    .method(
      owner, "tryLock", options: [.position, .quickTry], gives: ("boolean", "whether it was taken"),
      doc: "Takes it if that needs no waiting."
    ) { _, arguments in .operation(.tryLock(arguments.lock)) }
  }

  static func lockBefore(_ owner: ObjectKind) -> APIFunction {
    .method(
      owner, "lockBefore", [.required("date", .date, "until when to wait; a past date tries")], options: .position,
      gives: ("boolean", "whether it was taken"), doc: "Takes it, or waits for it until a date."
    ) { _, arguments in .operation(.lockBefore(arguments.lock, arguments.nanoseconds(0))) }
  }

  static func objectKind(_ kind: LockKind) -> ObjectKind {
    switch kind {
    case .mutex, .synchronized, .once: .mutex
    case .recursiveMutex: .recursiveMutex
    case .readWriteLock: .readWriteLock
    case .spinLock: .spinLock
    case .distributedLock: .distributedLock
    case .condition: .condition
    case .conditionLock: .conditionLock
    }
  }
}

extension Arguments {
  /// The lock whose method was called.
  var lock: LockID { LockID(rawValue: receiver) }
}
