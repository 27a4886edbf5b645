#if canImport(Darwin)
  @preconcurrency import Darwin
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  @preconcurrency import Glibc
#endif

/// A run of this very program as a child, its output kept in files without a name.
struct ChildProcess {
  let process: pid_t
  private let output: Int32
  private let errors: Int32

  /// What came out of it.
  struct Result {
    /// The exit code; nil: ended by a signal.
    var exitCode: Int32?
    var signal: Int32 = 0
    var output: [UInt8] = []
    var errors: [UInt8] = []
  }

  /// Starts the program with these arguments.
  static func start(_ arguments: [String]) throws(FileError) -> ChildProcess {
    let output = try Files.makeNameless()
    let errors: Int32
    do throws(FileError) {
      errors = try Files.makeNameless()
    } catch {
      close(output)
      throw error
    }
    var actions = fileActions()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var words = ([Platform.programName] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, Platform.executablePath, &actions, nil, &words, environ)
    guard failure == 0 else {
      close(output)
      close(errors)
      throw FileError(number: failure)
    }
    return ChildProcess(process: process, output: output, errors: errors)
  }

  /// Waits for any child.
  ///
  /// - Returns: the child and its status; nil when the wait was interrupted by Ctrl-C.
  static func waitForAny() -> (process: pid_t, status: Int32)? {
    var status: Int32 = 0
    while true {
      let process = waitpid(-1, &status, 0)
      if process > 0 { return (process, status) }
      if errno != EINTR || Platform.isInterrupted { return nil }
    }
  }

  /// Takes what an ended child has left.
  func collect(status: Int32) throws(FileError) -> Result {
    defer {
      close(output)
      close(errors)
    }
    // The status of wait(2): the low seven bits are the signal, the next byte the exit code.
    let signal = status & 0x7F
    var result = Result(exitCode: signal == 0 ? (status >> 8) & 0xFF : nil, signal: signal)
    lseek(output, 0, SEEK_SET)
    lseek(errors, 0, SEEK_SET)
    result.output = try Files.readAll(output, atMost: .max)
    result.errors = try Files.readAll(errors, atMost: .max)
    return result
  }

  /// Ends it, and waits until it is gone: politely at first, by force after five seconds.
  func end() {
    kill(process, SIGTERM)
    var status: Int32 = 0
    var patience = 500
    while patience > 0, waitpid(process, &status, WNOHANG) == 0 {
      patience -= 1
      usleep(10_000)
    }
    if patience == 0 {
      kill(process, SIGKILL)
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    }
    close(output)
    close(errors)
  }
}

#if canImport(Darwin)
  private func fileActions() -> posix_spawn_file_actions_t? { nil }
#else
  private func fileActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
#endif
