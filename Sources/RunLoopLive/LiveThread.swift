import CLuaHost
@preconcurrency import CoreFoundation
import RunLoopEngine

/// A thread of the script, which is one of the operating system.
final class LiveThread {
  /// What a thread is doing, for the report of a run that hangs.
  enum Doing {
    case new, running, ended
    case loop(NameID)
    case sleep, work
    case join(ThreadID)
    case perform(ThreadID)
    case mainQueue
    case lock(NameID)
    case condition(NameID)
    case semaphore(NameID)
    case room(NameID)
    /// In a call of the library, without the run's lock.
    case library
    case end
  }

  let id: ThreadID
  var doing = Doing.new
  /// What the Lua host knows of it, while it does not have the lock.
  var aside = clh_aside()
  var results = HostValue.none
  var startedAt = Position.unknown
  var joinedAt: Position?
  var detachedAt = Position.unknown
  /// When it ended, once it has.
  private(set) var endTime: Nanoseconds = 0
  var isCancelled = false
  /// How many of its calls may hold a run loop's lock.
  var loopHolds = 0
  /// The pending requests of other threads.
  var performs = PerformQueue()

  init(_ id: ThreadID) { self.id = id }

  var hasEnded: Bool { if case .ended = doing { true } else { false } }

  func hasEnded(at date: Nanoseconds) {
    doing = .ended
    endTime = date
  }

  /// Also of the main thread, which lives on as long as the process waits for others.
  var runsNoMore: Bool { if case .end = doing { true } else { hasEnded } }
  var isStarted: Bool { if case .new = doing { false } else { true } }
}

/// A thread's run loop.
final class LiveLoop {
  let id: LoopID
  let thread: ThreadID
  /// The library's; nil once the thread takes its loop apart, as the loop has to go with it.
  var loop: CFRunLoop?
  /// The modes of the runs that are inside each other.
  var runs: [NameID] = []
  /// Those of them that wait, by how many are around them.
  var waits: Set<Int> = []
  /// The modes whose activities are traced.
  var tracedModes: Set<NameID> = []
  var commonModes: Set<NameID> = [.defaultMode]
  var tracer: CFRunLoopObserver?

  /// The mode of its innermost run. The library's `CFRunLoopCopyCurrentMode` takes the loop's lock.
  var mode: NameID { runs.last ?? .none }

  init(_ id: LoopID, _ thread: ThreadID, _ loop: CFRunLoop) {
    self.id = id
    self.thread = thread
    self.loop = loop
  }
}

/// A timer of the library, and what the books want to know of its last fire.
struct LiveTimer {
  var timer: CFRunLoopTimer
  /// The date it last fired for, and the points that had passed then; nil once its date was set by hand.
  var last: (scheduled: Nanoseconds, passed: Int64)?
  /// Points that passed before its date was set by hand, since the last fire.
  var missed: Int64 = 0
  /// When it was made or set: a date before that stands for this moment.
  var since: Nanoseconds
}

/// What the library hands back to a callback: whose it is.
final class CallbackInfo {
  unowned let run: LiveRun
  let id: Int32

  init(_ run: LiveRun, _ id: Int32) {
    self.run = run
    self.id = id
  }

  /// For a context; lives as long as the process.
  static func make(_ run: LiveRun, _ id: Int32) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(CallbackInfo(run, id)).toOpaque()
  }

  static func from(_ info: UnsafeMutableRawPointer?) -> CallbackInfo {
    Unmanaged<CallbackInfo>.fromOpaque(UnsafeRawPointer(info.unsafelyUnwrapped)).takeUnretainedValue()
  }
}
