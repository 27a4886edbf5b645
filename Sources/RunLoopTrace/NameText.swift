import RunLoopEngine

extension NameKind {
  /// The kind as automatic names begin with it.
  var traceName: StaticString {
    switch self {
    case .thread: "thread"
    case .source: "source"
    case .port: "port"
    case .timer: "timer"
    case .observer: "observer"
    case .block: "block"
    case .perform: "perform"
    case .mutex: "mutex"
    case .recursiveMutex: "recursiveMutex"
    case .readWriteLock: "readWriteLock"
    case .spinLock: "spinLock"
    case .distributedLock: "distributedLock"
    case .condition: "condition"
    case .conditionLock: "conditionLock"
    case .semaphore: "semaphore"
    case .once: "once"
    case .synchronized: "synchronized"
    case .atomic: "atomic"
    case .shared: "shared"
    case .object: "object"
    case .pool: "pool"
    case .messagePort: "messagePort"
    case .remotePort: "remotePort"
    case .notification: "notification"
    }
  }
}

extension ByteBuffer {
  /// Appends a name as it is, without quotes; nothing for none.
  mutating func append(raw name: NameID, in names: borrowing NameTable) {
    if name.rawValue >= 0 {
      names.withUTF8(name) { append($0) }
    } else if let (kind, number) = names.automaticParts(name) {
      append(kind.traceName)
      append(decimal: UInt64(number))
    }
  }
}
