/// What a simulation stores of objects, autorelease pools, notifications and requests to message ports.

/// A reference-counted object.
struct ObjectRecord: Equatable, Sendable {
  var name: NameID
  var dealloc: HostValue
  /// 0 once it is gone.
  var count: Int32 = 1
  /// References that autorelease pools will give up; never more than `count`.
  var pending: Int32 = 0
  /// Where the last reference was given up.
  var position = Position.unknown
}

/// An autorelease pool on a thread's stack of pools.
struct PoolRecord: Equatable, Sendable {
  var name: NameID
  var thread: Int32
  /// The pool under it.
  var below: Int32
  /// How many pools are under it.
  var height: Int32
  /// The depth of the frame whose callout it belongs to; 1: the thread itself.
  var level: Int32
  /// A script has it in hand: the record is not used again.
  var isHeld: Bool
  var isDrained = false
  /// Its drain is in the trace.
  var isAnnounced = false
  /// Where it was drained.
  var position = Position.unknown
  /// Its objects in order of autorelease, as cells: first and last.
  var first: Int32 = -1
  var last: Int32 = -1
}

/// An observer of the notification centre.
struct NotificationRecord: Equatable, Sendable {
  var name: NameID
  var sender: NotificationSender
  var callback: HostValue
  /// Between its adding and its removal.
  var isActive = false
}

/// A notification that is being posted.
struct PostRecord: Equatable, Sendable {
  var name: NameID
  var sender: NotificationSender
  var info: HostValue
  /// The thread that starts when the observers were told (`willBecomeMultiThreaded`).
  var starts: Int32 = -1
  /// What the operation that posts it gives.
  var outcome = OperationResult.none
  var next: Int32 = -1
}

/// A request to a message port, from its making until neither its caller nor its message need it.
struct RequestRecord: Equatable, Sendable {
  enum State: UInt8, Sendable {
    case waiting, replied
    /// The port was invalidated before it replied.
    case dead
  }
  var port: Int32
  /// The thread that asks.
  var caller: Int32
  var id: Int64
  /// The mode in which the caller waits for a reply; `none`: it wants none.
  var mode: NameID
  var receiveTimeout: Nanoseconds
  var state = State.waiting
  /// The caller's loop has taken the reply.
  var isReceived = false
  /// The caller waits no longer.
  var isAbandoned = false
  var reply = HostValue.none
  /// The port that the reply comes to, -1 when none is wanted.
  var replyPort: Int32 = -1
  /// Who needs the record: the caller's frame and the message. 0: it is free.
  var holders: Int8 = 2
  var next: Int32 = -1
}
