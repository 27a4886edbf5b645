import RunLoopEngine
import RunLoopScript
import RunLoopTrace

/// What `rlsim run` was asked for.
struct RunOptions: Sendable {
  /// A second output beside the trace.
  struct Also: Equatable, Sendable {
    var format: OutputFormat
    var path: String
  }

  var script = ""
  /// The folder up to which `require` looks; nil: none was given.
  var scripts: String?
  /// What stood after `--`.
  var arguments: [String] = []
  var profile: Profile?
  var seed: UInt64?
  var until: Nanoseconds?
  /// Nil when none was asked for.
  var givenFormat: OutputFormat?
  var output: String?
  var also: [Also] = []
  var show = EventCategories.none
  var hide = EventCategories.none
  var align = When.auto
  var color = When.auto
  var explain = false
  var quiet = false
  var stats = false
  var maximumSteps: Int?
  var maximumTime: Nanoseconds?
  var maximumMemory: Int?
  var maximumInstructions: Int?
  var maximumTraceEvents: Int?

  /// Reads a command line; nil when it asks for help.
  ///
  /// - Parameter header: options of the script's own, which those of the command line overrule.
  static func parse(_ arguments: [String], after header: [String] = []) throws(UsageError) -> RunOptions? {
    var values = RunOptions()
    let own = try rlsim.parse(header, options, into: &values, command: "run")
    let parsed = try rlsim.parse(arguments, options, into: &values, command: "run")
    if parsed.wantsHelp { return nil }
    values.script = try parsed.script(of: "run")
    values.arguments = parsed.rest.isEmpty ? own.rest : parsed.rest
    return values
  }

  /// The files that are written.
  var outputs: [String] { also.map(\.path) + (output.map { [$0] } ?? []) }

  /// The format of the trace: without a choice the one that the output's name ends in.
  var format: OutputFormat { givenFormat ?? output.flatMap(OutputFormat.init(path:)) ?? .text }

  /// What the script's session is made with.
  func scriptOptions(_ file: ScriptFile) -> ScriptOptions {
    var options = ScriptOptions(source: file.source, chunkName: file.chunkName)
    options.scriptDirectory = file.directory
    options.scriptRoot = file.root
    options.arguments = arguments
    options.profileIsFixed = profile != nil
    options.configuration.profile = profile ?? options.configuration.profile
    options.configuration.seed = seed
    options.configuration.until = until ?? options.configuration.until
    options.configuration.maximumSteps = maximumSteps ?? options.configuration.maximumSteps
    options.configuration.maximumTime = maximumTime ?? options.configuration.maximumTime
    options.shownCategories = show
    options.hiddenCategories = hide
    options.maximumMemory = maximumMemory ?? options.maximumMemory
    options.maximumInstructions = maximumInstructions.map(UInt64.init) ?? options.maximumInstructions
    options.maximumTraceEvents = maximumTraceEvents ?? options.maximumTraceEvents
    options.shouldStop = { Platform.isInterrupted }
    return options
  }
}
