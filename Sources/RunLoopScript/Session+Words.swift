import CLuaHost
import RunLoopEngine
import RunLoopTrace

/// Names and messages.
extension Session {
  /// The name of an object, for C; valid until the next call.
  func name(ofKind kind: Int32, _ id: Int32) -> (bytes: UnsafePointer<CChar>, length: Int) {
    let name: NameID
    switch ObjectKind(rawValue: kind) {
    case .thread: name = simulation.name(of: ThreadID(rawValue: id))
    case .loop: name = simulation.name(of: simulation.thread(of: LoopID(rawValue: id)))
    case .source: name = simulation.name(of: SourceID(rawValue: id))
    case .port: name = simulation.name(of: PortID(rawValue: id))
    case .timer: name = simulation.name(of: TimerID(rawValue: id))
    case .observer: name = simulation.name(of: ObserverID(rawValue: id))
    case .mutex, .recursiveMutex, .readWriteLock, .spinLock, .distributedLock, .condition, .conditionLock:
      name = simulation.name(of: LockID(rawValue: id))
    case .semaphore: name = simulation.name(of: SemaphoreID(rawValue: id))
    case .atomic: name = simulation.name(of: AtomicID(rawValue: id))
    case .shared: name = simulation.name(of: SharedID(rawValue: id))
    case .object: name = simulation.name(of: ObjectID(rawValue: id))
    case .pool: name = simulation.name(of: PoolID(rawValue: id))
    case .messagePort, .remotePort: name = simulation.name(of: PortID(rawValue: id))
    case let kind?: return (kind.name.cString, kind.name.utf8CodeUnitCount)
    case nil: return nameScratch.hold("?")
    }
    return simulation.names.utf8(name).withUnsafeBufferPointer { nameScratch.hold($0) }
  }

  /// The name that a constructor was given, or the next one of its kind.
  func name(_ arguments: Arguments, _ index: Int, _ kind: NameKind) throws(APIError) -> NameID {
    guard arguments.isGiven(index) else { return simulation.automaticName(kind) }
    return simulation.names.add(try nameText(arguments.bytes(index)))
  }

  /// The one name for a concept that a text stands for: equal texts are the same one.
  func sharedName(_ text: UnsafeBufferPointer<UInt8>) throws(APIError) -> NameID {
    simulation.names.intern(try nameText(text))
  }

  /// The text of a name, which lasts as long as the run and stands in every line about it: neither empty nor endless.
  func nameText(_ text: UnsafeBufferPointer<UInt8>) throws(APIError) -> UnsafeBufferPointer<UInt8> {
    if text.isEmpty { throw APIError("a name must not be empty") }
    guard text.count <= Int(UInt16.max) else {
      throw APIError("a name must not be longer than \(UInt16.max) bytes; this one has \(text.count)")
    }
    return text
  }

  /// Whether two kept values are the same value.
  func isSame(_ a: HostValue, _ b: HostValue) -> Bool {
    a == b || (!a.isNone && !b.isNone && clh_same(host, a.reference, b.reference))
  }

  /// A number to look a kept value up by: the same for the same value.
  func identity(of value: HostValue) -> UInt64 { clh_identity(host, value.reference) }

  func name(_ thread: ThreadID) -> String { Shown.name(simulation.names[simulation.name(of: thread)]) }

  private static let targetThreadExited = "target thread exited while waiting for the perform"

  /// A sentence for what the engine refused.
  func describe(_ failure: OperationFailure) -> String {
    let words: String
    switch failure {
    case .targetThreadExited: return Self.targetThreadExited
    case .targetThreadHadExited(let thread, let date):
      return "\(Self.targetThreadExited) (thread '\(name(thread))' had ended before, at \(date.traceText))"
    case .notCurrentLoop(let loop):
      let owner = name(simulation.thread(of: loop))
      words = "this is \(owner)'s run loop; a thread can only run its own (use rl.currentLoop())"
    case .alreadyStarted(let thread, let place): words = "thread '\(name(thread))' was already started\(at(place))"
    case .joinSelf: words = "a thread cannot join itself: this is '\(name(current))'"
    case .joinTwice(let thread, let place): words = "thread '\(name(thread))' was already joined\(at(place))"
    case .joinDetached(let thread, let detached, let started):
      let why =
        detached.line > 0 ? "detach() was called\(at(detached))" : "make it with joinable = true\(start(started))"
      words = "thread '\(name(thread))' is detached and cannot be joined (\(why))"
    case .alreadyDetached(let thread, let detached, let started):
      let why =
        detached.line > 0
        ? "detach() was called\(at(detached))" : "it was not made with joinable = true\(start(started))"
      words = "thread '\(name(thread))' is already detached (\(why))"
    case .syncOnMainThread:
      words = "the main thread would wait for itself for ever (call the function, or use rl.mainQueue:async)"
    case .notHolder(let lock): words = "this thread does not hold \(name(lock)): \(holder(lock))"
    case .waitWithoutLock(let lock):
      words = "this thread must lock \(name(lock)) before it waits: \(holder(lock))"
    case .lockedTwice(let lock, let date):
      let howLong = date == .distantFuture ? "for ever" : "until \(date.traceText)"
      words =
        "this thread would wait for itself \(howLong): it holds \(name(lock)) already\(since(lock))"
        + (simulation.kind(of: lock) == .mutex ? " (rl.recursiveMutex can be locked again)" : "")
    case .readWhileWriting(let lock):
      words = "this thread would wait for itself for ever: it holds \(name(lock)) for writing\(since(lock))"
    case .writeWhileReading(let lock):
      words =
        "this thread would wait for itself for ever: it holds \(name(lock)) for reading\(since(lock)) (unlock first)"
    case .onceInsideItself(let lock):
      words = "this thread would wait for itself for ever: the function of \(name(lock)) is running\(since(lock))"
    case .objectIsGone(let object, let place):
      words = "object '\(Shown.name(simulation.names[simulation.name(of: object)]))' was deallocated\(at(place))"
    case .overReleased(let object, let place):
      let name = Shown.name(simulation.names[simulation.name(of: object)])
      words =
        "object '\(name)' would be released once too often: only autorelease pools hold it (autoreleased\(at(place)))"
    case .poolIsDrained(let pool, let place):
      words = "pool '\(Shown.name(simulation.names[simulation.name(of: pool)]))' was already drained\(at(place))"
    case .poolOfOtherThread(let pool, let thread):
      let poolName = Shown.name(simulation.names[simulation.name(of: pool)])
      words = "pool '\(poolName)' is thread '\(name(thread))'s; only that thread can drain it"
    case .nestedTooDeep(let limit):
      words = "run loops and callbacks are nested too deep on this thread (more than \(limit))"
    }
    return "\(APITable.functions[function].qualifiedName): \(words)"
  }

  /// "mutex 'm'".
  private func name(_ lock: LockID) -> String {
    "\(simulation.kind(of: lock).word) '\(Shown.name(simulation.names[simulation.name(of: lock)]))'"
  }

  /// Who holds a lock since when, and where it was taken.
  private func holder(_ lock: LockID) -> String {
    guard let hold = simulation.hold(lock) else { return "nobody holds it" }
    return "thread '\(name(hold.thread))' holds it since \(hold.since.traceText)\(at(hold.position))"
  }

  /// Since when this thread holds a lock, and where it was taken.
  private func since(_ lock: LockID) -> String {
    guard let hold = simulation.hold(lock, by: current) else { return "" }
    return " since \(hold.since.traceText)\(at(hold.position))"
  }

  private func start(_ place: Position) -> String { place.line > 0 ? "; it was started\(at(place))" : "" }

  private func at(_ place: Position) -> String {
    simulation.names.text(of: place, after: " at ")
  }
}
