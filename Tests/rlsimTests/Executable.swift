import Foundation
import Testing

/// The program itself, run in a directory of its own.
struct Executable {
  let directory: URL

  /// What a run gave.
  struct Result {
    var code: Int32
    var output: String
    var errors: String
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  }

  init() throws {
    directory = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("rlsim-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// Takes the directory away.
  func remove() { try? FileManager.default.removeItem(at: directory) }

  /// The program stands beside the tests.
  static let path: String = {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let places =
      bundles.map { $0.deletingLastPathComponent() }
      + [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(), Bundle.main.bundleURL]
    return places.map { $0.appendingPathComponent("rlsim").path }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
      ?? "rlsim"
  }()

  func file(_ path: String) -> URL { directory.appendingPathComponent(path) }

  func write(_ path: String, _ text: String) throws {
    try FileManager.default.createDirectory(
      at: file(path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file(path))
  }

  func read(_ path: String) throws -> String { String(decoding: try Data(contentsOf: file(path)), as: UTF8.self) }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: file(path).path) }

  /// Runs the program.
  func callAsFunction(_ arguments: String..., input: String? = nil, environment: [String: String] = [:]) throws
    -> Result
  {
    try start(Self.path, arguments, input, environment)
  }

  /// The same, with a list of arguments.
  func run(_ arguments: [String]) throws -> Result { try start(Self.path, arguments, nil, [:]) }

  /// Runs a line of the shell in which `$RLSIM` is the program.
  func shell(_ line: String, environment: [String: String] = [:]) throws -> Result {
    try start("/bin/sh", ["-c", line], nil, environment.merging(["RLSIM": Self.path]) { $1 })
  }

  private func start(
    _ program: String, _ arguments: [String], _ input: String?, _ environment: [String: String]
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = directory
    var variables = ProcessInfo.processInfo.environment
    for name in ["CI", "NO_COLOR", "RLSIM"] { variables[name] = nil }
    process.environment = variables.merging(environment) { $1 }
    // Files, for a pipe that nobody empties would stop the program.
    let names = ["out", "err", "in"].map { file(".\($0)-\(UUID().uuidString)") }
    defer { for name in names { try? FileManager.default.removeItem(at: name) } }
    try Data().write(to: names[0])
    try Data().write(to: names[1])
    try Data((input ?? "").utf8).write(to: names[2])
    process.standardOutput = try FileHandle(forWritingTo: names[0])
    process.standardError = try FileHandle(forWritingTo: names[1])
    process.standardInput = try FileHandle(forReadingFrom: names[2])
    try process.run()
    process.waitUntilExit()
    return Result(
      code: process.terminationStatus, output: String(decoding: try Data(contentsOf: names[0]), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: names[1]), as: UTF8.self))
  }
}
