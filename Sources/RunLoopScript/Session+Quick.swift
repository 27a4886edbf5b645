import CLuaHost
import RunLoopEngine

/// What a method without parameters may be: an operation that most often nobody waits for and nobody notices.
enum QuickCall: UInt8, Sendable {
  case none, lock, tryLock, unlock

  init(_ options: APIFunction.Options) {
    if options.contains(.quickLock) {
      self = .lock
    } else if options.contains(.quickTry) {
      self = .tryLock
    } else {
      self = options.contains(.quickUnlock) ? .unlock : .none
    }
  }

  /// Whether it is told the script's place of the call: a lock knows where it was taken.
  var wantsPosition: Bool { self == .lock || self == .tryLock }

  /// What C calls.
  var function: clh_quick_function? {
    switch self {
    case .none: nil
    case .lock, .tryLock: { Hot.from($0).lock($1, $2) }
    case .unlock: { hot, id, _ in Hot.from(hot).unlock(id) }
    }
  }
}

/// What calls that are carried out on the spot and callouts that follow each other at once look at: apart from the session,
/// so that they need no reference to it. C has its address as `quick_context`.
struct Hot {
  /// The state of the run.
  let state: UnsafeMutablePointer<Simulation>
  /// The thread whose coroutine is running.
  var current = ThreadID.main
  /// Its locks, since it got its turn; nil before the first.
  var locks: QuickLocks?
  /// How often the engine was called; wraps.
  var calls: UInt32 = 0
  /// The same when the running thread got its turn.
  var callsAtResume: UInt32 = 0
  /// Events are handed to the consumer when there are more than this.
  var batch = Session.largestBatch
  /// The file that the engine was last told of, by the host's number of its chunk.
  var chunk: Int32 = -1
  var file = NameID.none
  /// Its session, which owns this.
  var session: Unmanaged<Session>?

  @inline(__always)
  static func from(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Hot> {
    context.unsafelyUnwrapped.assumingMemoryBound(to: Hot.self)
  }
}

extension UnsafeMutablePointer<Hot> {
  /// `lock()` and `tryLock()`; false: nothing was done.
  @inline(__always)
  fileprivate func lock(_ id: Int64, _ place: clh_position) -> Bool {
    if _slowPath(place.chunk != pointee.chunk) { return lockInOtherFile(id, place) }
    return pointee.locks?.lock(
      LockID(rawValue: Int32(truncatingIfNeeded: id)), on: pointee.current,
      at: Position(file: pointee.file, line: place.line)) ?? false
  }

  /// `unlock()`; false: nothing was done.
  @inline(__always)
  fileprivate func unlock(_ id: Int64) -> Bool {
    pointee.locks?.unlock(LockID(rawValue: Int32(truncatingIfNeeded: id)), on: pointee.current) ?? false
  }

  /// Looks up what the engine calls the file of the place first.
  @inline(never)
  private func lockInOtherFile(_ id: Int64, _ place: clh_position) -> Bool {
    guard place.line > 0, let session = pointee.session else { return false }
    pointee.file = session.takeUnretainedValue().position(place).file
    pointee.chunk = place.chunk
    return lock(id, place)
  }

  /// A callout ended of which nothing is wanted: the timer that fires next, when nothing else can happen before.
  @inline(__always)
  func nextCallout() -> clh_next {
    guard
      let fire = pointee.state.pointee.fireNextQuietly(on: pointee.current, moreEventsThan: pointee.batch)
    else { return clh_next() }
    pointee.calls &+= 1
    if _slowPath(fire.needsHost || pointee.calls & Session.callsBetweenQuestions == 0), mustLeave() {
      return clh_next(callback: Int32(CLH_NEXT_BLOCK), kind: 0, id: 0)
    }
    return clh_next(callback: fire.callback.reference, kind: ObjectKind.timer.rawValue, id: Int64(fire.timer.rawValue))
  }

  @inline(never)
  private func mustLeave() -> Bool { pointee.session?.takeUnretainedValue().mustLeaveAfterDelivery() ?? true }
}
