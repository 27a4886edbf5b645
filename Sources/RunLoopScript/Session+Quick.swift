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
}

/// Calls that are carried out on the spot, in a fraction of the time of the ordinary way, which they take in every other
/// case.
extension Session {
  var quickHandler: @convention(c) (UnsafeMutableRawPointer?, Int32, Int64) -> Int32 {
    { context, function, id in
      Unmanaged<Session>.fromOpaque(UnsafeRawPointer(context.unsafelyUnwrapped))._withUnsafeGuaranteedRef {
        $0.quick(Int(function), LockID(rawValue: Int32(truncatingIfNeeded: id)))
      }
    }
  }

  @inline(__always)
  private func quick(_ function: Int, _ lock: LockID) -> Int32 {
    // Now and then the ordinary way, which asks whether to stop.
    guard calls & Session.callsBetweenQuestions != Session.callsBetweenQuestions else { return Int32(CLH_QUICK_NOT) }
    let isDone: Bool
    let answer: Int
    switch bindings[function].quick {
    case .lock:
      isDone = lockQuickly(lock)
      answer = CLH_QUICK_NOTHING
    case .tryLock:
      isDone = lockQuickly(lock)
      answer = CLH_QUICK_TRUE
    case .unlock:
      isDone = state.pointee.unlockQuickly(lock, on: current)
      answer = CLH_QUICK_NOTHING
    case .none: return Int32(CLH_QUICK_NOT)
    }
    guard isDone else { return Int32(CLH_QUICK_NOT) }
    calls &+= 1
    return Int32(truncatingIfNeeded: answer)
  }

  @inline(__always)
  private func lockQuickly(_ lock: LockID) -> Bool {
    state.pointee.lockQuickly(lock, on: current) { position(clh_place(host)) }
  }
}
