import RunLoopEngine
import RunLoopTrace

/// What `rlsim live` was asked for.
struct LiveOptions: Sendable {
  enum Format: String, CaseIterable, Sendable {
    case text, jsonl
  }

  var script = ""
  /// The folder up to which `require` looks; nil: none was given.
  var scripts: String?
  var arguments: [String] = []
  var timeScale = 1.0
  var timeout = 30.0
  var until: Double?
  var format = Format.text
  var show = EventCategories.none
  var hide = EventCategories.none
  var align = When.auto
  var color = When.auto
  var quiet = false

  static let options: [Option<LiveOptions>] = [
    Option("time-scale", .required("K"), "real seconds for each second of the script (default 1)") {
      values, text throws(UsageError) in values.timeScale = try Values.factor(text, "time-scale")
    },
    Option("timeout", .required("SECONDS"), "end a run that hangs after so many real seconds (default 30)") {
      values, text throws(UsageError) in values.timeout = try Values.positive(text, "timeout")
    },
    Option("until", .required("SECONDS"), "end the run at this time of the script") {
      values, text throws(UsageError) in values.until = try Values.positive(text, "until")
    },
    Option("scripts", .required("DIR"), "up to where require looks, above the script (default: to scripts)") {
      values, text in values.scripts = text
    },
    Option("format", .required("FORMAT"), choices: Format.allCases.map(\.rawValue), "text or jsonl") {
      values, text throws(UsageError) in values.format = try Values.choice(text, "format")
    },
    Option("show", .required("A,B"), choices: categories, "show exactly these event categories") {
      values, text throws(UsageError) in
      values.show.formUnion(try Values.categories(text, "show"))
    },
    Option("hide", .required("A,B"), choices: categories, "event categories to hide") {
      values, text throws(UsageError) in
      values.hide.formUnion(try Values.categories(text, "hide"))
    },
    Option(
      "align", .optional("WHEN"), choices: When.allCases.map(\.rawValue),
      "pad the columns: auto (default: on a terminal), always, never"
    ) { values, text throws(UsageError) in values.align = try When(text, "align") },
    Option(
      "color", .optional("WHEN"), choices: When.allCases.map(\.rawValue),
      "colours by category: auto (default: on a terminal, unless NO_COLOR is set), always, never"
    ) { values, text throws(UsageError) in values.color = try When(text, "color") },
    Option("quiet", short: "q", "no trace: only faults and the last line") { $0.quiet = true },
  ]

  private static let categories = EventCategory.allCases.map(\.name) + ["all"]

  /// Reads a command line; nil when it asks for help.
  static func parse(_ arguments: [String]) throws(UsageError) -> LiveOptions? {
    var values = LiveOptions()
    let parsed = try rlsim.parse(arguments, options, into: &values, command: "live")
    if parsed.wantsHelp { return nil }
    values.script = try parsed.script(of: "live")
    values.arguments = parsed.rest
    return values
  }

  /// Takes from a script's own options those that concern a live run, where the command line says nothing.
  mutating func take(_ header: ScriptHeader) throws(UsageError) {
    var own = RunOptions()
    let parsed = try rlsim.parse(header.words, RunOptions.options, into: &own, command: "run")
    if arguments.isEmpty { arguments = parsed.rest }
    if until == nil, let date = own.until, date != .distantFuture { until = Double(date) / 1e9 }
    if show.isEmpty { show = own.show }
    if hide.isEmpty { hide = own.hide }
  }
}
