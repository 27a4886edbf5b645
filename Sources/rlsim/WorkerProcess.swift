#if canImport(Darwin)
  @preconcurrency import Darwin
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  @preconcurrency import Glibc
#endif

/// A child of this program that is talked to in lines, over pipes.
///
/// It has a process group of its own: Ctrl-C on the terminal reaches the parent only, which passes it on.
final class WorkerProcess {
  enum Message {
    case line([UInt8])
    case nothingYet
    case end
  }

  private let process: pid_t
  private let input: Int32
  private let output: Int32
  /// What was received of a line that is not complete.
  private var received: [UInt8] = []
  private var isGone = false

  private init(_ process: pid_t, input: Int32, output: Int32) {
    self.process = process
    self.input = input
    self.output = output
  }

  /// Starts this program once more.
  static func start(_ arguments: [String]) throws(FileError) -> WorkerProcess {
    let toChild = try makePipe()
    let fromChild: (read: Int32, write: Int32)
    do throws(FileError) {
      fromChild = try makePipe()
    } catch {
      close(toChild.read)
      close(toChild.write)
      throw error
    }
    var actions = fileActions()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild.read, 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild.write, 1)
    var attributes = spawnAttributes()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var words = ([Platform.programName] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, Platform.executablePath, &actions, &attributes, &words, environ)
    close(toChild.read)
    close(fromChild.write)
    guard failure == 0 else {
      close(toChild.write)
      close(fromChild.read)
      throw FileError(number: failure)
    }
    return WorkerProcess(process, input: toChild.write, output: fromChild.read)
  }

  private static func makePipe() throws(FileError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .last }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Sends text; false when nobody reads it any more.
  func send(_ text: String) -> Bool { Platform.write(text, to: input) == 0 }

  /// Asks it to stop, and to say what it knows.
  func interrupt() { kill(process, SIGINT) }

  /// Waits a moment for something from any of these.
  ///
  /// - Returns: which of them have something, or are gone.
  static func waitForInput(_ processes: [WorkerProcess]) -> [Int] {
    var entries = processes.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), 250) > 0 else { return [] }
    return entries.indices.filter { entries[$0].revents != 0 }
  }

  /// Takes what has come.
  func receive() -> Message {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output, &chunk, chunk.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? .nothingYet : .end }
    if count == 0 { return .end }
    received += chunk[..<count]
    guard chunk[..<count].contains(UInt8(ascii: "\n")), received.last == UInt8(ascii: "\n") else { return .nothingYet }
    defer { received = [] }
    return .line(received)
  }

  /// Waits for its end.
  ///
  /// - Returns: how it ended, in words that follow "a process".
  func collect() -> String {
    close(output)
    close(input)
    isGone = true
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? "ended with exit code \((status >> 8) & 0xFF)" : "was ended by signal \(signal)"
  }

  /// Ends it, and waits until it is gone.
  func end() {
    guard !isGone else { return }
    kill(process, SIGKILL)
    _ = collect()
  }
}

#if canImport(Darwin)
  private func fileActions() -> posix_spawn_file_actions_t? { nil }
  private func spawnAttributes() -> posix_spawnattr_t? { nil }
#else
  private func fileActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
  private func spawnAttributes() -> posix_spawnattr_t { posix_spawnattr_t() }
#endif
