/// What a simulation stores of locks and of what threads share.

/// A mutex, a recursive mutex, a read-write lock, a spin lock, a distributed lock, a condition with its mutex, a
/// condition lock, or what stands behind `synchronized` and `once`.
public struct LockID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A counting semaphore.
public struct SemaphoreID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A number that is changed in single steps.
public struct AtomicID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A cell of plain memory.
public struct SharedID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// How a lock behaves.
public enum LockKind: UInt8, CaseIterable, Sendable {
  case mutex, recursiveMutex, readWriteLock, spinLock, distributedLock
  /// A condition's own mutex.
  case condition
  case conditionLock
  /// The recursive lock of an object.
  case synchronized
  /// Held while the function of a `once` runs.
  case once

  /// Whether its holder may lock it again.
  @inline(__always) var isRecursive: Bool { self == .recursiveMutex || self == .synchronized }
}

/// Who holds a lock.
public struct LockHold: Equatable, Sendable {
  public var thread: ThreadID
  /// Since when, and where it was taken.
  public var since: Nanoseconds
  public var position: Position
}

/// Threads that wait for the same thing, the longest first; linked by `ThreadRecord.nextWaiter`.
struct WaitQueue: Equatable, Sendable {
  var first: Int32 = -1
  var last: Int32 = -1
}

/// A lock of any kind.
///
/// A lock that its waiters could take is never free while they wait: it goes straight to the longest.
struct LockRecord: Equatable, Sendable {
  var name: NameID
  var kind: LockKind
  /// The `once` has run.
  var isDone = false
  /// The thread that holds it; of a read-write lock the writer.
  var owner: Int32 = -1
  /// How often its holder has locked it.
  var depth: Int32 = 0
  /// Since when it is held, and where it was taken.
  var since: Nanoseconds = 0
  var position = Position.unknown
  /// Who waits for the lock.
  var waiters = WaitQueue()
  /// Who waits for the condition.
  var sleepers = WaitQueue()
  /// The number of a condition lock.
  var value: Int64 = 0
  /// The first and the last of a read-write lock's readers: indices into `readers`.
  var firstReader: Int32 = -1
  var lastReader: Int32 = -1
}

/// One hold of a read-write lock for reading.
struct ReaderRecord: Equatable, Sendable {
  var hold: LockHold
  var next: Int32 = -1
}

struct SemaphoreRecord: Equatable, Sendable {
  var name: NameID
  var value: Int64
  var waiters = WaitQueue()
}

struct AtomicRecord: Equatable, Sendable {
  var name: NameID
  var value: AtomicValue
}

struct SharedRecord: Equatable, Sendable {
  var name: NameID
  var value: HostValue
}

/// The value of an atomic variable: a Lua number.
public enum AtomicValue: Equatable, Sendable {
  case integer(Int64)
  case float(Double)

  /// The sum, as Lua has it: of two integers an integer, that wraps around.
  static func + (a: AtomicValue, b: AtomicValue) -> AtomicValue {
    if case .integer(let a) = a, case .integer(let b) = b { return .integer(a &+ b) }
    return .float(a.number + b.number)
  }

  /// Whether the numbers are equal, whichever way each is stored.
  func equals(_ other: AtomicValue) -> Bool {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a == b
    case (.float(let a), .float(let b)): a == b
    case (.integer(let a), .float(let b)), (.float(let b), .integer(let a)): Int64(exactly: b) == a
    }
  }

  /// Whether they are the same bits: unlike numbers, a zero differs from its negative, and not-a-number is itself.
  public static func == (a: AtomicValue, b: AtomicValue) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a == b
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    default: false
    }
  }

  private var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .float(let value): value
    }
  }

  var text: String {
    switch self {
    case .integer(let value): "\(value)"
    case .float(let value): "\(value)"
    }
  }
}

/// What is done to an atomic variable.
public enum AtomicAction: Equatable, Sendable {
  case load
  case store(AtomicValue)
  case add(AtomicValue)
  case exchange(AtomicValue)
  case compareExchange(expected: AtomicValue, new: AtomicValue)
}

/// What was done to an atomic variable, for its event.
public enum AtomicOperation: Int64, CaseIterable, Sendable {
  case load, store, add, exchange, compareExchange
}
