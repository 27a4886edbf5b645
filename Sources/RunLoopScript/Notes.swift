import CLuaHost
import RunLoopEngine

/// What a session knows of a run beside the engine. A value: it belongs to a snapshot of the run.
struct Notes {
  /// What follows when the engine is through with the operation of a thread's call.
  enum FollowUp {
    /// The call gives this value.
    case give(clh_value)
    /// These timers are invalidated, the last one first.
    case invalidate([TimerID])
    /// The function of the table is called again.
    case again(PendingCall)
  }

  /// A call of a function of the table that waits for its step.
  struct PendingCall {
    var function: Int
    var receiver: Int32
    /// Its arguments, which the script's stack keeps alive.
    var values: [clh_value]
    var place: clh_position
  }

  /// Values that observers of the notification centre asked for, each once.
  var senders: [HostValue] = []
  var followUps: [ThreadID: FollowUp] = [:]
  /// The names of the script's files, by the host's number of a chunk; `none` where it was not asked for yet.
  var files: [NameID] = []
  /// The function that each thread called when it gave way, for messages.
  private var calls: [Int32] = []
  /// The locks behind `rl.synchronized` and `rl.once`, by the number that the host has for the object or token.
  private var guards: [[LockID]] = [[], []]

  /// Whether both say the same. What an operation that is under way still has to do is not compared: then they do not.
  func isSame(as other: Notes) -> Bool {
    senders == other.senders && followUps.isEmpty && other.followUps.isEmpty && files == other.files
      && calls == other.calls && guards == other.guards
  }

  /// The function that a thread called when it gave way.
  func function(of thread: ThreadID) -> Int? {
    let index = Int(thread.rawValue)
    return index < calls.count && calls[index] >= 0 ? Int(calls[index]) : nil
  }

  mutating func setFunction(_ function: Int, of thread: ThreadID) {
    let index = Int(thread.rawValue)
    while calls.count <= index { calls.append(-1) }
    let number = Int32(truncatingIfNeeded: function)
    if calls[index] != number { calls[index] = number }
  }

  /// Becomes a copy of another, in the memory that it has where that changes all the time.
  mutating func assign(_ other: UnsafePointer<Notes>) {
    if !senders.isEmpty || !other.pointee.senders.isEmpty { senders = other.pointee.senders }
    if !followUps.isEmpty || !other.pointee.followUps.isEmpty { followUps = other.pointee.followUps }
    if files != other.pointee.files { files = other.pointee.files }
    if calls != other.pointee.calls {
      calls.removeAll(keepingCapacity: true)
      calls.append(contentsOf: other.pointee.calls)
    }
    if guards != other.pointee.guards { guards = other.pointee.guards }
  }

  /// The lock of an object or token, made when there is none yet.
  mutating func lock(_ kind: LockKind, of number: Int64, make: () -> LockID) -> LockID {
    let group = kind == .once ? 1 : 0
    let index = Int(number)
    while guards[group].count <= index { guards[group].append(.none) }
    if guards[group][index].isNone { guards[group][index] = make() }
    return guards[group][index]
  }
}
