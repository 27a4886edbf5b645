/// What `rlsim test` was asked for.
struct TestOptions: Sendable {
  enum Format: String, CaseIterable, Sendable {
    case text, tap, junit, github
  }

  /// Scripts or directories; empty: all.
  var paths: [String] = []
  var scripts = "scripts"
  var golden = "golden"
  var filters: [String] = []
  var update = false
  var jobs = Platform.processorCount
  var format = Format.text
  var failFast = false
  var list = false
  var allowEmpty = false
  var color = When.auto

  static let options: [Option<TestOptions>] = [
    Option("update", short: "u", "write the golden files that differ or are missing, and say which") {
      $0.update = true
    },
    Option("filter", .required("GLOB"), "only tests whose name matches, as 'guide/*'; may be repeated") {
      values, text in values.filters.append(text)
    },
    Option("jobs", short: "j", .required("N"), "so many at a time (default: the number of processors)") {
      values, text throws(UsageError) in values.jobs = Int(clamping: try Values.count(text, "jobs", least: 1))
    },
    Option("format", .required("FORMAT"), choices: Format.allCases.map(\.rawValue), "text, tap, junit or github") {
      values, text throws(UsageError) in values.format = try Values.choice(text, "format")
    },
    Option("fail-fast", "stop at the first failure") { $0.failFast = true },
    Option("list", "print the scripts that would run") { $0.list = true },
    Option("allow-empty", "it is no failure if nothing matches") { $0.allowEmpty = true },
    Option("scripts", .required("DIR"), "where the scripts are (default: scripts)") { values, text in
      values.scripts = text.normalizedPath
    },
    Option("golden", .required("DIR"), "where the golden files are (default: golden)") { values, text in
      values.golden = text.normalizedPath
    },
    Option("color", .optional("WHEN"), choices: When.allCases.map(\.rawValue), "colour diffs: auto, always, never") {
      values, text throws(UsageError) in values.color = try When(text, "color")
    },
  ]

  /// Reads a command line; nil when it asks for help.
  static func parse(_ arguments: [String]) throws(UsageError) -> TestOptions? {
    var values = TestOptions()
    let parsed = try rlsim.parse(arguments, options, into: &values, command: "test")
    if parsed.wantsHelp { return nil }
    values.paths = parsed.operands + parsed.rest
    return values
  }

  /// The folder of `--scripts`; nil: none was given.
  var givenScripts: String? { scripts == "scripts" ? nil : scripts }

  /// The command that tests one script again.
  func command(for script: String, update: Bool) -> String {
    var words = [Platform.programName, "test"]
    if update { words.append("--update") }
    if let givenScripts { words += ["--scripts", givenScripts] }
    if golden != "golden" { words += ["--golden", golden] }
    if !script.isEmpty { words.append(script) }
    return shellCommand(words)
  }
}
