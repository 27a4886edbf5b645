import RunLoopTrace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Everything that is asked of the operating system beside files: environment, terminal, signals, clock, exit.
enum Platform {
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  /// The program as it was called, for commands to repeat.
  static var programName: String { CommandLine.arguments.first ?? "rlsim" }

  /// Once, before anything else: a closed pipe is an error of write(2) and no signal.
  static func prepare() { _ = signal(SIGPIPE, SIG_IGN) }

  static func exit(_ code: ExitCode) -> Never {
    #if canImport(Darwin)
      Darwin.exit(code.rawValue)
    #elseif canImport(Musl)
      Musl.exit(code.rawValue)
    #else
      Glibc.exit(code.rawValue)
    #endif
  }

  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Whether an environment variable is set and not empty.
  static func isSet(_ name: String) -> Bool { !(environment(name) ?? "").isEmpty }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Whether colours are welcome there.
  static func wantsColor(_ descriptor: Int32) -> Bool {
    isTerminal(descriptor) && !isSet("NO_COLOR") && environment("TERM") != "dumb"
  }

  /// Whether a path leads to anything.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// A clock that only goes forward, for `--stats`.
  static var monotonicNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// How many processors there are.
  static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The file of this very program, to start it again.
  static var executablePath: String {
    #if canImport(Darwin)
      var size: UInt32 = 4096
      var path = [CChar](repeating: 0, count: Int(size))
      return _NSGetExecutablePath(&path, &size) == 0
        ? path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } : programName
    #else
      return "/proc/self/exe"
    #endif
  }
}

// MARK: Output

extension Platform {
  /// Why a result could not be written: the system's error number. 0: all went well.
  private(set) nonisolated(unsafe) static var outputFailure: Int32 = 0

  /// Writes a result. A failure is kept for the end of the program, and nothing more is written then.
  static func print(_ text: String) {
    if outputFailure == 0 { outputFailure = write(text, to: standardOutput) }
  }

  /// Whether a failure to write means that the reader has gone.
  static func isClosedPipe(_ number: Int32) -> Bool { number == EPIPE }

  /// Writes text about a script, a path or an option, which may hold anything, to standard output.
  static func printMessage(_ text: String) { print(Shown.message(text)) }

  /// Writes a note or an error.
  static func printError(_ text: String) { _ = write(Shown.message(text), to: standardError) }

  /// Writes all of a text.
  ///
  /// - Returns: the system's error number, 0 when all went well.
  static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
  }
}

// MARK: Ctrl-C

extension Platform {
  /// Set by the signal handler, which may do nothing but store a value.
  private nonisolated(unsafe) static let interruptions: UnsafeMutablePointer<sig_atomic_t> = {
    let place = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
    place.initialize(to: 0)
    return place
  }()

  /// Whether Ctrl-C was pressed, or another of its signals came, since `catchInterrupts()`.
  static var isInterrupted: Bool { interruptions.pointee != 0 }

  /// Whether what came was SIGTERM, as `timeout` and batch systems send it.
  static var isTerminated: Bool { interruptions.pointee == SIGTERM }

  /// From now on Ctrl-C sets `isInterrupted`; a second one ends the program.
  ///
  /// - Parameter terminations: whether SIGTERM does so, too.
  static func catchInterrupts(andTerminations terminations: Bool = true) {
    interruptions.pointee = 0
    var action = sigaction()
    let handler: @convention(c) (Int32) -> Void = { Platform.interruptions.pointee = sig_atomic_t($0) }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    // No SA_RESTART: a wait for a child or for input ends, too. SA_RESETHAND: the second one is the system's.
    action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
    sigaction(SIGINT, &action, nil)
    if terminations { sigaction(SIGTERM, &action, nil) }
    // Whoever started the program may have blocked signals, and the mask is inherited.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    sigprocmask(SIG_UNBLOCK, &set, nil)
  }

  /// Ends the program as SIGTERM ends any, if that came and was caught: when all that was known is written.
  static func endIfTerminated() {
    if isTerminated { _ = kill(getpid(), SIGTERM) }
  }
}
