/// What an operation gives back to the thread that made it.
public enum OperationResult: Equatable, Sendable {
  case none
  case bool(Bool)
  case run(RunResult)
  case value(HostValue)
  /// The same, given up with this.
  case lastValue(HostValue)
  case date(Nanoseconds)
  case name(NameID)
  case thread(ThreadID)
  case port(PortID)
  /// A message port gave no reply.
  case refused(RequestRefusal)
  /// A Lua number.
  case number(AtomicValue)
  /// All values that a function returned, given up with this.
  case results(HostValue)
  /// The operation was refused and did nothing; the host raises it as an error in the script.
  case failure(OperationFailure)
}

/// Why an operation was refused.
public enum OperationFailure: Equatable, Sendable {
  /// A run of a loop that belongs to another thread.
  case notCurrentLoop(LoopID)
  /// The thread was started before; where.
  case alreadyStarted(ThreadID, Position)
  case joinSelf
  /// The thread was joined, or is being joined; where.
  case joinTwice(ThreadID, Position)
  /// The thread is detached: where that was asked for, of one that was made joinable; and where it was started.
  case joinDetached(ThreadID, detached: Position, started: Position)
  case alreadyDetached(ThreadID, detached: Position, started: Position)
  /// `mainQueue:sync` on the main thread.
  case syncOnMainThread
  /// The thread of a waiting perform ended first.
  case targetThreadExited(ThreadID)
  /// The thread of a waiting perform had ended before; when.
  case targetThreadHadExited(ThreadID, Nanoseconds)
  /// The lock is not held by this thread.
  case notHolder(LockID)
  /// The thread holds the lock already, and would wait for itself until a date.
  case lockedTwice(LockID, until: Nanoseconds = .distantFuture)
  /// The thread holds the lock for writing, and wants it for reading.
  case readWhileWriting(LockID)
  /// The thread holds the lock for reading, and wants it for writing.
  case writeWhileReading(LockID)
  /// A wait for a condition whose mutex the thread does not hold.
  case waitWithoutLock(LockID)
  /// `once` with the token whose function is calling it.
  case onceInsideItself(LockID)
  /// A use of an object whose last reference was given up; where.
  case objectIsGone(ObjectID, Position)
  /// The last reference is given up, which an autorelease pool will give up; where it was put into one.
  case overReleased(ObjectID, Position)
  /// The pool was drained before; where.
  case poolIsDrained(PoolID, Position)
  case poolOfOtherThread(PoolID, ThreadID)
  /// More than `Configuration.maximumDepth` activations and callouts on one thread.
  case nestedTooDeep(Int)
}
