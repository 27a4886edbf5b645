import RunLoopTrace

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The end of a trace when the process is ended by a trap: in the library, mostly, which knows no other way to refuse.
///
/// The events were written as they came, so the last line is all that is left to do. It is done in the signal's handler,
/// with what is allowed there: no allocation, no lock, only bytes that were put together before.
enum Crash {
  /// What the handler works with; written once, before it is installed.
  private struct State {
    var before: UnsafeMutableBufferPointer<UInt8>
    var after: UnsafeMutableBufferPointer<UInt8>
    var message: UnsafeMutableBufferPointer<UInt8>
    var clock: LiveClock
    /// JSON counts nanoseconds, text writes seconds.
    var writesNanoseconds: Bool
  }

  private nonisolated(unsafe) static let state: UnsafeMutablePointer<State> = .allocate(capacity: 1)
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// From now on a trap ends the trace as a simulated one does, and the process with the code of a script's error.
  static func report(on clock: LiveClock, json: Bool, advice: String) {
    state.initialize(
      to: State(
        before: bytes(json ? "{\"t\":" : ""),
        after: bytes(
          json
            ? ",\"thread\":null,\"event\":\"end\",\"category\":\"fault\",\"reason\":\"fault\",\"detail\":\"trap\"}\n"
            : " - end reason=fault detail=trap\n"),
        message: bytes(
          "rlsim: the process was ended by a trap: the library takes no such call (what it says itself stands above)\n"
            + advice),
        clock: clock, writesNanoseconds: json))
    var action = sigaction()
    let handler: @convention(c) (Int32) -> Void = { _ in Crash.end() }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
    for signal in signals { sigaction(signal, &action, nil) }
  }

  private static func bytes(_ text: String) -> UnsafeMutableBufferPointer<UInt8> {
    let place = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = place.initialize(from: text.utf8)
    return place
  }

  private static func end() -> Never {
    put(1, state.pointee.before)
    put(state.pointee.clock.now, whole: state.pointee.writesNanoseconds)
    put(1, state.pointee.after)
    put(2, state.pointee.message)
    _exit(3)
  }

  private static func put(_ descriptor: Int32, _ bytes: UnsafeMutableBufferPointer<UInt8>) {
    _ = writeAll(UnsafeRawBufferPointer(bytes), to: descriptor)
  }

  /// A time, as `12.000000001` or as a whole number.
  private static func put(_ time: Int64, whole: Bool) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { place in
      var start = place.count
      var rest = max(0, time)
      var digits = 0
      while rest > 0 || digits < (whole ? 1 : 10) {
        if digits == 9, !whole {
          start -= 1
          place[start] = UInt8(ascii: ".")
        }
        start -= 1
        place[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
        digits += 1
      }
      _ = writeAll(UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: place[start...])), to: 1)
    }
  }
}
