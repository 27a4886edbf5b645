/// What the host has to do next for a thread.
public enum Step: Sendable {
  /// Call a function on this thread, then tell `calloutReturned`.
  case call(Callout)
  /// The operation is done: give its result to the script.
  case result(OperationResult)
  /// The thread does not go on now: ask `nextTurn()`.
  case parked
  /// The thread goes on, but much has happened without the host: take out the events, perhaps end the run, then ask
  /// `continueThread(_:)`.
  case unfinished
  /// The error that left the last callout goes on: raise it again from the operation that the thread is in.
  case raise
}

/// A function of the script to be called on a thread, with what it is called with.
public struct Callout: Sendable {
  /// What kind of function it is; says which of the fields below are used, and for what.
  public enum Kind: UInt8, Sendable {
    /// The entry function of a thread. object: the thread; value: packed arguments or none. Its results are wanted.
    case entry
    /// object: the timer.
    case timer
    /// object: the source.
    case source
    /// object: the source; loop; mode.
    case schedule
    /// object: the source; loop; mode.
    case cancel
    /// object: the observer; activity; loop.
    case observer
    /// object: the port; value: the message, given up with the call.
    case port
    /// no arguments; the function is given up with the call.
    case block
    /// value: the argument.
    case perform
    /// object: the request, of which `Simulation.message` knows more; value: the data, given up with the call. Its results
    /// are wanted.
    case message
    /// object: the post, of which `Simulation.notification` knows more.
    case notification
    /// no arguments; the function is given up with the call.
    case dealloc
    /// no arguments; the function is given up with the call. Its results are wanted.
    case guarded
  }
  public var kind: Kind
  /// The function.
  public var callback: HostValue
  /// The handle of what it is called for.
  public var object: Int32 = -1
  /// The run loop that it concerns.
  public var loop: LoopID = .none
  /// The mode that it concerns.
  public var mode: NameID = .none
  /// The activity that an observer is told of: one.
  public var activity: Activities = []
  /// What it is handed.
  public var value: HostValue = .none
}

/// A timer's callback that is to be called, after nothing but quiet passes.
public struct QuietFire: Sendable {
  public var timer: TimerID
  /// Whether `Simulation.holds` says so.
  public var needsHost: Bool
  public var callback: HostValue
}

/// Which thread runs next.
public enum Turn: Sendable {
  /// A new thread: make its coroutine, then as `resume`.
  case start(ThreadID)
  /// Go on with a thread: ask `continueThread(_:)` for its next step.
  case resume(ThreadID)
  /// The run is over.
  case ended(EndReason)
}
