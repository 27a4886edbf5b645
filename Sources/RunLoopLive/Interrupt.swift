#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ctrl-C, for a thread that waits for it: the handler writes a byte, the other end of whose pipe is waited for.
enum Interrupt {
  /// The two ends.
  private nonisolated(unsafe) static let ends: UnsafeMutablePointer<Int32> = {
    let ends = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
    ends.initialize(repeating: -1, count: 2)
    return ends
  }()

  /// From now on Ctrl-C does not end the program.
  static func watch() {
    guard pipe(ends) == 0 else { return }
    var action = sigaction()
    let handler: @convention(c) (Int32) -> Void = { _ in
      var byte: UInt8 = 1
      _ = write(Interrupt.ends[1], &byte, 1)
    }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESTART)
    sigaction(SIGINT, &action, nil)
    // Whoever started the program may have blocked it, and the mask is inherited.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigprocmask(SIG_UNBLOCK, &set, nil)
  }

  /// Whether it came.
  static var isPending: Bool {
    var end = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    return ends[0] >= 0 && poll(&end, 1, 0) > 0
  }

  /// Waits for it, at most for some seconds; whether it came.
  static func wait(atMost seconds: Double) -> Bool {
    guard ends[0] >= 0 else { return false }
    var left = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    return poll(&left, 1, Int32(min(seconds * 1000 + 1, 1e9))) > 0
  }
}
