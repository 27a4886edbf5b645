/// The kinds of script object. The numbers are those of the C host's `kinds`.
public enum ObjectKind: Int32, CaseIterable, Sendable {
  case thread, loop, source, port, timer, observer, mainQueue
  case mutex, recursiveMutex, readWriteLock, spinLock, distributedLock, condition, conditionLock, semaphore
  case atomic, shared, object, pool, messagePort, remotePort, portServer, notifications, token

  /// The name scripts see in messages, and the start of automatic names.
  public var name: StaticString {
    switch self {
    case .thread: "thread"
    case .loop: "loop"
    case .source: "source"
    case .port: "port"
    case .timer: "timer"
    case .observer: "observer"
    case .mainQueue: "mainQueue"
    case .mutex: "mutex"
    case .recursiveMutex: "recursiveMutex"
    case .readWriteLock: "readWriteLock"
    case .spinLock: "spinLock"
    case .distributedLock: "distributedLock"
    case .condition: "condition"
    case .conditionLock: "conditionLock"
    case .semaphore: "semaphore"
    case .atomic: "atomic"
    case .shared: "shared"
    case .object: "object"
    case .pool: "pool"
    case .messagePort: "messagePort"
    case .remotePort: "remotePort"
    case .portServer: "portServer"
    case .notifications: "notifications"
    case .token: "token"
    }
  }

  /// The class of its objects in the definition file: `rl.Timer`.
  public var className: String {
    let name = "\(name)"
    // (Adding a substring would look its type up by name: a fifteenth of the time to start.)
    return "rl." + name.prefix(1).uppercased() + String(name.dropFirst())
  }

  /// The bit of this kind in a parameter's `kinds`.
  var bit: UInt64 { 1 << UInt64(rawValue) }

  /// What it stands for, in a sentence.
  public var documentation: String {
    switch self {
    case .thread: "A virtual thread: `rl.thread`, `rl.mainThread`, `rl.currentThread()`."
    case .loop: "A thread's run loop: `rl.currentLoop()`, `rl.mainLoop`, `thread:loop()`."
    case .source: "A run loop source of version 0, signalled by hand: `rl.source`."
    case .port: "A run loop source of version 1 with a queue of messages: `rl.port`."
    case .timer: "A timer: `rl.timer`, `loop:scheduleTimer`."
    case .observer: "A run loop observer: `rl.observer`."
    case .mainQueue: "The main queue, served by the main run loop in its common modes: `rl.mainQueue`."
    case .mutex: "A plain mutex: `rl.mutex`."
    case .recursiveMutex: "A mutex its holder can lock again: `rl.recursiveMutex`."
    case .readWriteLock: "A lock of many readers or one writer: `rl.readWriteLock`."
    case .spinLock: "A lock whose waiting costs processor time: `rl.spinLock`."
    case .distributedLock: "A lock that is tried, not waited for: `rl.distributedLock`."
    case .condition: "A condition with its own mutex: `rl.condition`."
    case .conditionLock: "A lock with a number to wait for: `rl.conditionLock`."
    case .semaphore: "A counting semaphore: `rl.semaphore`."
    case .atomic: "An atomic variable: `rl.atomic`."
    case .shared: "Plain shared memory: `rl.shared`."
    case .object: "A reference-counted object: `rl.object`."
    case .pool: "An autorelease pool: `rl.pool`."
    case .messagePort: "The local end of a message port: `rl.messagePort`."
    case .remotePort: "The remote end of a message port: `rl.remotePort`."
    case .portServer: "The names of ports: `rl.portServer`."
    case .notifications: "The notification centre: `rl.notifications`."
    case .token: "An observer's place in the notification centre."
    }
  }
}
