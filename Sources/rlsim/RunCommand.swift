import RunLoopEngine
import RunLoopScript
import RunLoopTrace

extension Command {
  static let run: Command = Command(
    name: "run", synopsis: "run [OPTION...] SCRIPT.lua [-- ARG...]", summary: "simulate a script, print the trace",
    details: """
      SCRIPT - is standard input. What stands after -- is rl.args of the script. Numbers may end in K, M, G or T.
      A first line '--! rlsim: OPTIONS' in the script gives options of its own; those given here win.
      """,
    options: RunOptions.options.map(\.description)
  ) { arguments throws(UsageError) in
    guard var options = try RunOptions.parse(arguments) else {
      Platform.print(Help.of(.run))
      return .success
    }
    // Once: what comes from a pipe is gone after that.
    let file = try ScriptFile.read(options.script, scripts: options.scripts)
    let header = try ScriptHeader(file).words
    if !header.isEmpty, let both = try RunOptions.parse(arguments, after: header) { options = both }
    return try RunCommand(options, file, arguments).run()
  }
}

/// One run of `rlsim run`.
struct RunCommand {
  private let options: RunOptions
  private let file: ScriptFile
  /// The command's arguments as they were, to repeat it.
  private let arguments: [String]
  private let command: String
  private let drive: Drive
  private let writer = TraceWriter()
  private let console = TraceOutput(descriptor: Platform.standardOutput, name: "standard output")

  /// Runs a script and hands its events over.
  typealias Drive = (ScriptOptions, TraceWriter) throws(UsageError) -> (Session, Outcome)

  /// - Parameters:
  ///   - command: the command's name, to repeat it.
  ///   - drive: how the script is run.
  init(
    _ options: RunOptions, _ file: ScriptFile, _ arguments: [String], command: String = "run",
    drive: @escaping Drive = { options, writer throws(UsageError) in
      let session = Session(options)
      return (session, session.run(consumer: writer))
    }
  ) {
    self.options = options
    self.file = file
    self.arguments = arguments
    self.command = command
    self.drive = drive
  }

  func run() throws(UsageError) -> ExitCode {
    Platform.catchInterrupts()
    try openOutputs()
    let start = Platform.monotonicNanoseconds
    let (session, outcome) = try drive(options.scriptOptions(file), writer)
    let elapsed = Platform.monotonicNanoseconds - start

    // Whatever follows, the trace so far comes first.
    _ = writer.finish()
    session.simulation.noteLeftAtEnd()
    explain(session)
    console.flush()
    if let error = outputError {
      Platform.printError("rlsim: \(error.message)\n")
      return .usage
    }
    if !options.explain { note(session.simulation.noteOnUnrun()) }
    if options.stats { Platform.printError(statistics(session, elapsed)) }
    let code = ExitCode(outcome.kind)
    if console.failure == nil { report(outcome, code) }
    return code
  }

  // MARK: Outputs

  private func openOutputs() throws(UsageError) {
    if options.quiet, options.output == nil, options.format != .text, options.format != .jsonl {
      throw UsageError(
        "--quiet leaves no trace to write as \(options.format.rawValue) (--output FILE gives it a place)")
    }
    let paths = options.outputs
    for (index, path) in paths.enumerated() {
      // Devices take what comes from both.
      if let other = paths[..<index].first(where: { Files.isSame($0, path) }), other == path || !Files.isSpecial(path) {
        let also = other == path ? "" : ", also as '\(other)'"
        throw UsageError("'\(path)' is named for two outputs\(also)")
      }
      if Files.isSame(path, options.script) { throw UsageError("the output '\(path)' would overwrite the script") }
    }
    if let path = options.output {
      writer.add(options.format.make(style: style(isTerminal: false)), to: try open(path))
    } else if !options.quiet {
      writer.add(
        options.format.make(style: style(isTerminal: Platform.isTerminal(Platform.standardOutput))), to: console)
    }
    if options.quiet {
      var quiet = style(isTerminal: Platform.isTerminal(Platform.standardOutput))
      quiet.onlyFaults = true
      let format = options.givenFormat == .jsonl ? OutputFormat.jsonl : .text
      writer.add(format.make(style: quiet), to: console)
    }
    for also in options.also { writer.add(also.format.make(), to: try open(also.path)) }
    writer.isInteractive = options.output == nil && Platform.isTerminal(Platform.standardOutput)
  }

  private func open(_ path: String) throws(UsageError) -> TraceOutput {
    do throws(OutputError) {
      return try TraceOutput.file(path)
    } catch {
      throw UsageError(error.message)
    }
  }

  private func style(isTerminal: Bool) -> TextTrace.Style {
    var style = TextTrace.Style()
    style.aligned = options.align.decide(isTerminal)
    style.colored = options.color.decide(isTerminal && Platform.wantsColor(Platform.standardOutput))
    return style
  }

  private var outputError: OutputError? {
    if let error = writer.error { return error }
    if case .system(let number) = console.failure { return OutputError(name: console.name, number: number) }
    return nil
  }

  // MARK: After the end

  private func explain(_ session: Session) {
    guard options.explain else { return }
    var text = Shown.message(session.simulation.describe() + session.simulation.describeUnrun())
    if !text.hasSuffix("\n") { text += "\n" }
    if options.format == .text { console.buffer.append(text: text) } else { Platform.printError(text) }
  }

  /// A run that ends well may have left undone what its author waits for.
  private func note(_ sentence: String) {
    if !sentence.isEmpty { Platform.printError("rlsim: note: \(Shown.message(sentence))\n") }
  }

  private func statistics(_ session: Session, _ elapsed: Int64) -> String {
    var text = ByteBuffer()
    text.append(text: "events \(writer.counts.events)\ncallouts \(writer.counts.callouts)\nvirtual time ")
    text.append(seconds: writer.counts.time)
    text.append(text: " s\nreal time ")
    text.append(seconds: elapsed)
    text.append(text: " s\nmemory \(session.peakMemory) bytes\n")
    return text.text()
  }

  private func report(_ outcome: Outcome, _ code: ExitCode) {
    if code == .interrupted { Platform.printError("rlsim: \(Platform.isTerminated ? "terminated" : "interrupted")\n") }
    Platform.printError(outcome.printedText)
    if outcome.kind == .syntaxError, options.script != "-", !options.script.hasSuffix(".lua") {
      Platform.printError("rlsim: '\(options.script)' does not end in .lua: is it a Lua script?\n")
    }
    if code.isFailure {
      Platform.printError("repeat with: \(shellCommand([Platform.programName, command] + arguments))\n")
    }
  }
}
