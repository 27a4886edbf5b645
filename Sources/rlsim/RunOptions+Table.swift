import RunLoopEngine
import RunLoopTrace

extension RunOptions {
  /// The options of `rlsim run`; those that decide what happens may also stand in a script's header line.
  static let options: [Option<RunOptions>] = simulationOptions + outputOptions + limitOptions

  private static let simulationOptions: [Option<RunOptions>] = [
    Option(
      "semantics", .required("PROFILE"), choices: Profile.allCases.map(\.rawValue),
      "whose behaviour: apple (default), linux or guide; wins over rl.semantics"
    ) { values, text throws(UsageError) in values.profile = try Values.choice(text, "semantics") },
    Option("seed", .required("N"), "pick among ready threads by a generator with this seed") {
      values, text throws(UsageError) in values.seed = try Values.seed(text)
    },
    Option("until", .required("SECONDS"), "end the run at this virtual time") { values, text throws(UsageError) in
      values.until = try Values.seconds(text, "until")
    },
    Option("scripts", .required("DIR"), "up to where require looks, above the script (default: to scripts)") {
      values, text in values.scripts = text
    },
  ]

  private static let outputOptions: [Option<RunOptions>] = [
    Option(
      "format", .required("FORMAT"), choices: OutputFormat.allCases.map(\.rawValue),
      "how the trace is written: \(OutputFormat.allCases.map(\.rawValue).joined(separator: ", "))"
    ) { values, text throws(UsageError) in values.givenFormat = try OutputFormat(text, "format") },
    Option("output", short: "o", .required("FILE"), "write the trace to a file") { values, text in
      values.output = text == "-" ? nil : text
    },
    Option("also", .required("FORMAT=FILE"), "write it to a file in this format, too; may be repeated") {
      values, text throws(UsageError) in values.also.append(try Also(text))
    },
    Option("show", .required("A,B"), choices: categoryNames, "show exactly these event categories: \(categories)") {
      values, text throws(UsageError) in
      values.show.formUnion(try Values.categories(text, "show"))
    },
    Option("hide", .required("A,B"), choices: categoryNames, "event categories to hide") {
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
    Option("explain", "at the end, say what each thread does and what keeps each loop alive") { $0.explain = true },
    Option("quiet", short: "q", "no trace: only faults and the last line") { $0.quiet = true },
    Option("stats", "at the end, print events, callouts, times and memory to standard error") { $0.stats = true },
  ]

  private static let limitOptions: [Option<RunOptions>] = [
    Option("max-steps", .required("N"), "end after so many operations, passes and callouts (default 100M)") {
      values, text throws(UsageError) in values.maximumSteps = try Values.size(text, "max-steps", unit: 1000)
    },
    Option("max-time", .required("SECONDS"), "end when virtual time goes beyond this") {
      values, text throws(UsageError) in values.maximumTime = try Values.seconds(text, "max-time")
    },
    Option("max-memory", .required("BYTES"), "end when the script needs more memory (default 1G)") {
      values, text throws(UsageError) in values.maximumMemory = try Values.size(text, "max-memory", unit: 1024)
    },
    Option(
      "max-instructions", .required("N"), "end after so many Lua instructions without a scheduling point (default 500M)"
    ) {
      values, text throws(UsageError) in
      values.maximumInstructions = try Values.size(text, "max-instructions", unit: 1000)
    },
    Option("max-trace", .required("N"), "end after so many events (default 10M)") {
      values, text throws(UsageError) in values.maximumTraceEvents = try Values.size(text, "max-trace", unit: 1000)
    },
  ]

  private static let categoryNames = EventCategory.allCases.map(\.name) + ["all"]
  private static let categories = categoryNames.joined(separator: ", ")
}

extension RunOptions.Also {
  /// Reads `FORMAT=FILE`.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { throw UsageError("--also needs FORMAT=FILE, not '\(text)'") }
    guard parts[1] != "-" else { throw UsageError("--also needs a file; standard output has the trace") }
    self.init(format: try OutputFormat(String(parts[0]), "also"), path: String(parts[1]))
  }
}
