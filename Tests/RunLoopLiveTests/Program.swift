import Foundation

/// The program itself, which has `rlsim-live` beside it.
enum Program {
  struct Result {
    var code: Int32
    var output: String
    var errors: String
  }

  /// The repository.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let path: String = {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let places =
      bundles.map { $0.deletingLastPathComponent() }
      + [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(), Bundle.main.bundleURL]
    return places.map { $0.appendingPathComponent("rlsim").path }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    } ?? "rlsim"
  }()

  /// Runs the program in the repository.
  ///
  /// - Parameters:
  ///   - text: once it has said this, it gets a signal.
  ///   - signal: Ctrl-C, or another one.
  ///   - preparation: what a shell does before it becomes the program.
  static func run(
    _ arguments: [String], interruptWhenItSays text: String? = nil, by signal: Int32 = SIGINT,
    after preparation: String? = nil
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: preparation == nil ? path : "/bin/sh")
    process.arguments = (preparation.map { ["-c", "\($0) && exec \"$0\" \"$@\"", path] } ?? []) + arguments
    process.currentDirectoryURL = root
    let files = try (0..<2).map { _ in try Scratch("") }
    defer { for file in files { file.remove() } }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0].url)
    process.standardError = try FileHandle(forWritingTo: files[1].url)
    try process.run()
    if let text {
      while process.isRunning, !(try files[0].text.contains(text)) { usleep(2000) }
      kill(process.processIdentifier, signal)
    }
    process.waitUntilExit()
    return Result(code: process.terminationStatus, output: try files[0].text, errors: try files[1].text)
  }

  /// Starts the program in the repository; what it says is of no interest.
  static func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = root
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Runs a script's text with an output that nobody reads; once that is full, the program gets Ctrl-C, so many times.
  static func runUnread(_ arguments: [String], script: String, interrupts: Int) throws -> Result {
    let (file, errors) = (try Scratch(script), try Scratch(""))
    defer { for file in [file, errors] { file.remove() } }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    defer { for end in ends { close(end) } }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments + [file.url.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    process.standardError = try FileHandle(forWritingTo: errors.url)
    try process.run()
    var end = pollfd(fd: ends[1], events: Int16(POLLOUT), revents: 0)
    while process.isRunning, poll(&end, 1, 0) > 0 { usleep(2000) }
    for _ in 0..<interrupts {
      usleep(50000)
      process.interrupt()
    }
    process.waitUntilExit()
    return Result(code: process.terminationStatus, output: "", errors: try errors.text)
  }

  /// Runs a script's text.
  static func run(
    _ arguments: [String], script: String, interruptWhenItSays text: String? = nil, by signal: Int32 = SIGINT
  ) throws -> Result {
    let file = try Scratch(script)
    defer { file.remove() }
    return try run(arguments + [file.url.path], interruptWhenItSays: text, by: signal)
  }
}

/// A file that is taken away.
struct Scratch {
  let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("rlsim-\(UUID().uuidString).lua")

  init(_ text: String) throws { try self.init(bytes: Array(text.utf8)) }

  init(bytes: [UInt8]) throws { try Data(bytes).write(to: url) }

  var text: String { get throws { String(decoding: try Data(contentsOf: url), as: UTF8.self) } }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
