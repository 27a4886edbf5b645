#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ctrl-C, and the polite end (SIGTERM): the first one rings a bell, a second one ends the program at once.
enum Interrupt {
  /// Rung when one came.
  static let bell = Bell()

  /// Which one came: written by the handler only. 0: none.
  private nonisolated(unsafe) static let number: UnsafeMutablePointer<sig_atomic_t> = {
    let place = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
    place.initialize(to: 0)
    return place
  }()

  /// The signal that came.
  static var signal: Int32 { Int32(number.pointee) }

  /// From now on neither ends the program by itself. To be called before there are other threads.
  static func watch() {
    // Made here, and not in the handler.
    _ = bell
    number.pointee = 0
    var action = sigaction()
    let handler: @convention(c) (Int32) -> Void = { Interrupt.came($0) }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESTART)
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    // Whoever started the program may have blocked them, and the mask is inherited.
    listen(true)
  }

  /// Whether the current thread, and those that it starts, are interrupted by these signals.
  static func listen(_ listens: Bool) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    pthread_sigmask(listens ? SIG_UNBLOCK : SIG_BLOCK, &set, nil)
  }

  private static func came(_ signal: Int32) {
    guard number.pointee == 0 else { _exit(128 + signal) }
    number.pointee = sig_atomic_t(signal)
    bell.ring()
  }
}
