import RunLoopEngine
import RunLoopTrace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Command {
  static let live: Command = Command(
    name: "live", synopsis: "live [OPTION...] SCRIPT.lua [-- ARG...]",
    summary: "run a script on the real library, with real threads and time",
    details: """
      The events are those of a simulation; times are measured, in seconds of the script. An error in a callback ends
      the run, also where a pcall stands around the run of the loop. A run that is ended by --timeout or Ctrl-C says what
      each thread was doing; a second Ctrl-C ends it at once. The program rlsim-live has to stand beside rlsim.
      """,
    options: LiveOptions.options.map(\.description)
  ) { arguments throws(UsageError) in
    guard var options = try LiveOptions.parse(arguments) else {
      Platform.print(Help.of(.live))
      return .success
    }
    let file = try ScriptFile.read(options.script, scripts: options.scripts)
    try options.take(ScriptHeader(file))
    return try LiveCommand(options, file, arguments).run()
  }
}

/// `rlsim live`: reads the script and becomes `rlsim-live`.
struct LiveCommand {
  let options: LiveOptions
  let file: ScriptFile
  /// The command's arguments as they were, to repeat it.
  let given: [String]

  init(_ options: LiveOptions, _ file: ScriptFile, _ given: [String]) {
    self.options = options
    self.file = file
    self.given = given
  }

  func run() throws(UsageError) -> ExitCode {
    let source = try handOver(file.source)
    var words = ["rlsim-live", "source=\(source)", "chunk=\(file.chunkName)"]
    if let directory = file.directory { words.append("directory=\(directory)") }
    if let root = file.root { words.append("root=\(root)") }
    words += ["scale=\(options.timeScale)", "timeout=\(options.timeout)", "format=\(options.format.rawValue)"]
    if let until = options.until { words.append("until=\(Nanoseconds(seconds: until))") }
    words += ["show=\(options.show.rawValue)", "hide=\(options.hide.rawValue)"]
    let isTerminal = Platform.isTerminal(Platform.standardOutput)
    if options.align.decide(isTerminal) { words.append("aligned") }
    if options.color.decide(isTerminal && Platform.wantsColor(Platform.standardOutput)) { words.append("colored") }
    if options.quiet { words.append("quiet") }
    words.append("repeat=\(shellCommand([Platform.programName, "live"] + given))")
    words += ["--"] + options.arguments
    let path = try Self.program()
    var strings = words.map { strdup($0) } + [nil]
    execv(path, &strings)
    throw UsageError("cannot start '\(path)': \(Platform.errorText(errno))")
  }

  /// A descriptor from which the script can be read, of a file without a name.
  private func handOver(_ source: [UInt8]) throws(UsageError) -> Int32 {
    let descriptor: Int32
    do throws(FileError) {
      descriptor = try Files.makeNameless(isInherited: true)
    } catch {
      throw UsageError("cannot hand the script over: \(error.message)")
    }
    let failure = source.withUnsafeBytes { writeAll($0, to: descriptor) }
    if failure != 0 { throw UsageError("cannot hand the script over: \(Platform.errorText(failure))") }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  /// The program beside this one.
  @discardableResult
  static func program() throws(UsageError) -> String {
    guard let real = realpath(Platform.executablePath, nil) else {
      throw UsageError("cannot find the program's own file: \(Platform.errorText(errno))")
    }
    defer { free(real) }
    let path = String(cString: real).directoryName + "/rlsim-live"
    guard Platform.exists(path) else {
      throw UsageError("'\(path)' is missing: 'rlsim live' needs it ('swift build' makes both)")
    }
    return path
  }
}
