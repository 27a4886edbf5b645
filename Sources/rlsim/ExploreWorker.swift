import RunLoopExplorer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a process of `--jobs` does: it explores the parts that it is given, until there are no more.
enum ExploreWorker {
  /// The word after `explore` that makes a process one; of no use on a command line.
  static let word = "--worker"

  static func greeting(_ source: [UInt8]) -> String {
    let digits = source.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    return JSON.object([.init("source", .string(digits.joined()))]).text
  }

  /// - Parameter arguments: those of `rlsim explore`.
  static func run(_ arguments: [String]) throws(UsageError) -> ExitCode {
    Platform.catchInterrupts(andTerminations: false)
    guard let first = line(), let json = try? JSON(first), let digits = json["source"]?.string else {
      throw UsageError("--worker is for rlsim itself; --jobs explores with several processes")
    }
    // A process whose parent is gone stops.
    let parent = getppid()
    guard let (values, parsed) = try ExploreCommandOptions.parse(arguments, after: ScriptHeader()),
      let path = parsed.operands.first
    else { return .defect }
    let file = try ScriptFile(bytes(digits), path: path, scripts: values.run.scripts)
    let command = try ExploreCommand(arguments, file, path)
    let script = command.script
    var options = command.explore(GoldenOrders(script: path))
    _ = Explorer.settle(&options, script)
    options.shouldStop = { Platform.isInterrupted || getppid() != parent }
    let explorer = PartExplorer(script, options, now: ExploreCommand.now)
    while let next = line() {
      guard let json = try? JSON(next), let assignment = Assignment(json) else { return .defect }
      guard Platform.write(explorer.explore(assignment).json.text + "\n", to: Platform.standardOutput) == 0 else {
        return .defect
      }
    }
    return .success
  }

  /// The next line of standard input, whole; nil at its end.
  private static func line() -> [UInt8]? {
    readLine(strippingNewline: true).map { Array($0.utf8) }
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let values = Array(digits.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
