import RunLoopEngine
import RunLoopExplorer

/// What `rlsim explore` was asked for.
struct ExploreCommandOptions: Sendable {
  var run = RunOptions()
  var explore = ExploreOptions()
  /// `--until` as it was written.
  var untilText: String?
  var report: String?
  var traceDirectory: String?
  var traceFormat = OutputFormat.text
  var isNamed = false
  var crossChecks = false
  var selfTest = false
  /// Whether every order of notifications is printed, instead of the report.
  var ordersOnly = false
  /// How many processes explore.
  var jobs = 1
  /// Whether the operands are reports to be joined.
  var merges = false
  /// Where an interrupted exploration is kept.
  var resume: String?

  static let options: [Option<ExploreCommandOptions>] =
    searchOptions + boundOptions + scaleOptions + scriptOptions + outputOptions

  private static let searchOptions: [Option<ExploreCommandOptions>] = [
    Option(
      "strategy", .required("NAME"), choices: ExploreOptions.Strategy.allCases.map(\.rawValue),
      "exhaustive (default), random (walk), pct (priorities),\nsurw (uniform over interleavings), portfolio (in turns)"
    ) { values, text throws(UsageError) in values.explore.strategy = try Values.choice(text, "strategy") },
    Option("no-reduce", "take every interleaving, not one for each trace") { $0.explore.reduces = false },
    Option("reduce", "refuse a script that shares plain Lua variables, which would turn the reduction off") {
      $0.explore.mustReduce = true
    },
    Option("preemptions", .required("K"), "only interleavings with at most K preemptions") {
      values, text throws(UsageError) in values.explore.maximumPreemptions = try count(text, "preemptions")
    },
    Option("depth", .required("D"), "of pct: how many orderings a bug may need (default 3)") {
      values, text throws(UsageError) in values.explore.depth = try Values.size(text, "depth", unit: 1000)
    },
    Option(
      "time", .required("MODE"), choices: ["idle", "free"],
      "idle (default): the clock moves when nothing can run;\nfree: also while threads are held back"
    ) { values, text throws(UsageError) in
      guard text == "idle" || text == "free" else { throw UsageError("--time knows idle, free, not '\(text)'") }
      values.explore.settings.timeIsFree = text == "free"
    },
    Option("unfair", "a condition's signal may wake any waiter, not only the longest") {
      $0.explore.settings.isUnfair = true
    },
    Option("spurious", .required("N"), "up to N wake-ups of conditions for nothing in a run (default 0)") {
      values, text throws(UsageError) in
      let number = try count(text, "spurious")
      guard number <= Int(UInt32.max) else {
        throw UsageError("--spurious needs a whole number of at most \(UInt32.max), not '\(text)'")
      }
      values.explore.settings.spuriousWakeups = number
    },
    Option("check-determinism", "run each schedule twice and compare") { $0.explore.checksDeterminism = true },
    Option("cross-check", "explore with and without reduction and compare what is found") { $0.crossChecks = true },
    Option("self-test", "plant one fault of each kind and find it; no script") { $0.selfTest = true },
  ]

  private static let boundOptions: [Option<ExploreCommandOptions>] = [
    Option("schedules", .required("N"), "end after so many runs") { values, text throws(UsageError) in
      values.explore.maximumSchedules = try Values.size(text, "schedules", unit: 1000)
    },
    Option("max-seconds", .required("S"), "end after so many seconds") { values, text throws(UsageError) in
      guard let seconds = Double(text), seconds > 0 else {
        throw UsageError("--max-seconds needs a number of seconds above 0, not '\(text)'")
      }
      values.explore.maximumSeconds = seconds
    },
    Option("max-steps", .required("N"), "break a run off after so many steps (default 10K)") {
      values, text throws(UsageError) in
      values.explore.maximumSteps = try Values.size(text, "max-steps", unit: 1000)
    },
    Option("first", "end with the first finding") { $0.explore.stopsAtFirst = true },
  ]

  private static let scaleOptions: [Option<ExploreCommandOptions>] = [
    Option("jobs", short: "j", .required("N"), "explore in N processes (default 1); the report is the same") {
      values, text throws(UsageError) in
      values.jobs = Int(clamping: min(try Values.count(text, "jobs", least: 1), 1024))
    },
    Option("shard", .required("I/N"), "explore share I of N, for several machines; --report keeps what --merge joins") {
      values, text throws(UsageError) in values.explore.shard = try shard(text)
    },
    Option("merge", "join the reports of all shares (operands: reports, no script)") { $0.merges = true },
    Option("resume", .required("FILE"), "go on where FILE says; written when it is left, removed when it is done") {
      values, text in values.resume = text
    },
  ]

  private static func shard(_ text: String) throws(UsageError) -> ExploreOptions.Shard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), !text.contains("+"), index >= 1,
      index <= count
    else { throw UsageError("--shard needs I/N, share I of N, such as 2/8, not '\(text)'") }
    return ExploreOptions.Shard(index: index, count: count)
  }

  private static let scriptOptions: [Option<ExploreCommandOptions>] = [
    Option(
      "semantics", .required("PROFILE"), choices: Profile.allCases.map(\.rawValue),
      "whose behaviour: apple (default), linux or guide"
    ) { values, text throws(UsageError) in values.run.profile = try Values.choice(text, "semantics") },
    Option("seed", .required("N"), "of random strategies, and of math.random") { values, text throws(UsageError) in
      values.run.seed = try Values.seed(text)
    },
    Option("until", .required("SECONDS"), "end each run at this virtual time") { values, text throws(UsageError) in
      values.run.until = try Values.seconds(text, "until")
      values.untilText = text
    },
    Option("scripts", .required("DIR"), "up to where require looks, above the script (default: to scripts)") {
      values, text in values.run.scripts = text
    },
  ]

  private static let outputOptions: [Option<ExploreCommandOptions>] = [
    Option("orders", "print every order of notifications that exists, each with its trace,\ninstead of the report") {
      $0.ordersOnly = true
    },
    Option("report", .required("FILE"), "write the report as JSON, too") { values, text in values.report = text },
    Option("trace-dir", .required("DIR"), "write the trace of each finding there") { values, text in
      values.traceDirectory = text
    },
    Option(
      "format", .required("FORMAT"), choices: OutputFormat.allCases.map(\.rawValue), "how these traces are written"
    ) { values, text throws(UsageError) in values.traceFormat = try OutputFormat(text, "format") },
    Option(
      "schedule-format", .required("FORMAT"), choices: ["compact", "named"],
      "compact (default), or named: readable, survives small changes"
    ) { values, text throws(UsageError) in
      guard text == "compact" || text == "named" else {
        throw UsageError("--schedule-format knows compact, named, not '\(text)'")
      }
      values.isNamed = text == "named"
    },
  ]

  /// Reads a command line, and before it the script's own header, which it overrules.
  ///
  /// - Returns: nil when it asks for help.
  static func parse(_ arguments: [String], after header: ScriptHeader) throws(UsageError) -> (Self, Operands)? {
    var values = Self()
    let own = try rlsim.parse(header.words, RunOptions.options, into: &values.run, command: "run")
    _ = try rlsim.parse(header.exploration ?? [], options, into: &values, command: "explore")
    let parsed = try rlsim.parse(arguments, options, into: &values, command: "explore")
    if parsed.wantsHelp { return nil }
    values.explore.seed = values.run.seed ?? 0
    if values.crossChecks, values.explore.shard != nil {
      throw UsageError(
        "--cross-check compares all that two ways of exploring find, and --shard takes a share of one: leave one of them out"
      )
    }
    let isBounded = values.explore.maximumSchedules != nil || values.explore.maximumSeconds != nil
    if values.ordersOnly, values.explore.strategy != .exhaustive, !isBounded {
      throw UsageError(
        "--strategy \(values.explore.strategy.rawValue) has no end by itself: the orders it finds need --schedules N")
    }
    values.run.arguments = parsed.rest.isEmpty ? own.rest : parsed.rest
    return (values, parsed)
  }

  /// Whether they say nothing but which interleavings are taken, without a look at a clock.
  var isSearchAlone: Bool {
    report == nil && traceDirectory == nil && !isNamed && !crossChecks && !selfTest && !ordersOnly
      && jobs == 1 && !merges && resume == nil && explore.shard == nil
      && !explore.checksDeterminism && !explore.stopsAtFirst && explore.maximumSeconds == nil && run.profile == nil
      && run.until == nil && run.scripts == nil
  }

  private static func count(_ text: String, _ option: String) throws(UsageError) -> Int {
    guard let number = Int(text), number >= 0, !text.hasPrefix("+") else {
      throw UsageError("--\(option) needs a whole number of at least 0, not '\(text)'")
    }
    return number
  }
}
