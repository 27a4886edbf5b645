import RunLoopEngine

/// What `rlsim compare` was asked for.
struct CompareOptions: Sendable {
  /// What a simulation is compared with.
  enum Other: String, CaseIterable, Sendable {
    case live, linux, apple, guide
  }

  var script = ""
  /// The folder up to which `require` looks; nil: none was given.
  var scripts: String?
  var arguments: [String] = []
  var other: Other?
  /// Real seconds.
  var tolerance = 0.02
  var timeScale = 1.0
  var color = When.auto

  static let options: [Option<CompareOptions>] = [
    Option(
      "with", .required("WHAT"), choices: Other.allCases.map(\.rawValue),
      "live: with the real library; linux, apple, guide: with a simulation under that profile"
    ) { values, text throws(UsageError) in values.other = try Values.choice(text, "with") },
    Option("tolerance", .required("SECONDS"), "how far times of a live run may be off (default 0.02, real time)") {
      values, text throws(UsageError) in values.tolerance = try Values.factor(text, "tolerance")
    },
    Option("time-scale", .required("K"), "real seconds for each second of the script, live (default 1)") {
      values, text throws(UsageError) in values.timeScale = try Values.factor(text, "time-scale")
    },
    Option("scripts", .required("DIR"), "up to where require looks, above the script (default: to scripts)") {
      values, text in values.scripts = text
    },
    Option(
      "color", .optional("WHEN"), choices: When.allCases.map(\.rawValue),
      "auto (default: on a terminal, unless NO_COLOR is set), always, never"
    ) { values, text throws(UsageError) in values.color = try When(text, "color") },
  ]

  /// Reads a command line; nil when it asks for help.
  static func parse(_ arguments: [String]) throws(UsageError) -> CompareOptions? {
    var values = CompareOptions()
    let parsed = try rlsim.parse(arguments, options, into: &values, command: "compare")
    if parsed.wantsHelp { return nil }
    if parsed.operands.count > 1, values.other == nil, let other = Other(rawValue: parsed.operands[1]) {
      throw UsageError("'\(other.rawValue)' is no script; did you mean '--with \(other.rawValue)'?")
    }
    values.script = try parsed.script(of: "compare")
    guard values.other != nil else {
      throw UsageError("with what? --with live, linux, apple or guide")
    }
    values.arguments = parsed.rest
    return values
  }
}
