import RunLoopEngine

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Command {
  static let compare: Command = Command(
    name: "compare", synopsis: "compare [OPTION...] SCRIPT.lua --with live|linux|apple|guide [-- ARG...]",
    summary: "a simulation beside a live run, or beside another simulation",
    details: """
      With live: the simulation is that of this platform's library. Thread by thread the runs, activities, callouts,
      blocks, locks and logs have to be the same, and then their times. A script that is not fit for it says why in a line
      of its own: --! compare: no, REASON. If live runs differ among themselves, two events are named that trade places,
      and what to do. A script of which some events have no one right order leaves their categories out:
      --! compare: without lock, REASON
      """,
    options: CompareOptions.options.map(\.description)
  ) { arguments throws(UsageError) in
    guard let options = try CompareOptions.parse(arguments), let other = options.other else {
      Platform.print(Help.of(.compare))
      return .success
    }
    Platform.catchInterrupts()
    let comparison = try Comparison(options)
    return other == .live ? try comparison.withLive() : try comparison.withProfile(other.rawValue)
  }
}

/// A script that is run twice.
struct Comparison {
  let options: CompareOptions
  /// The options that the script gives itself.
  private let header: [String]
  /// What it says of live runs itself.
  private let remark: CompareRemark

  init(_ options: CompareOptions) throws(UsageError) {
    self.options = options
    guard options.script != "-", !Files.isSpecial(options.script) else {
      throw UsageError("'\(options.script)' has to be run several times: 'rlsim compare' needs a script in a file")
    }
    let file = try ScriptFile.read(options.script, scripts: options.scripts)
    header = try ScriptHeader(file).words
    remark = CompareRemark(script: file.source)
  }

  // MARK: With another profile

  func withProfile(_ profile: String) throws(UsageError) -> ExitCode {
    let mine = try simulate([])
    let other = try simulate(["--semantics", profile])
    if Platform.isInterrupted { return .interrupted }
    let sides = SideBySide(mine.output, other.output)
    if sides.leftTitle == profile, !sides.differ, mine.exitCode == other.exitCode,
      mine.exitCode != ExitCode.limit.rawValue
    {
      let others = CompareOptions.Other.allCases.map(\.rawValue).filter { $0 != profile && $0 != "live" }
      Platform.print(
        "\(options.script) runs under \(profile) by itself, and was compared with nothing else: --with"
          + " \(others.joined(separator: " or ")) shows where that profile differs\n")
      return .success
    }
    if mine.exitCode == ExitCode.limit.rawValue, other.exitCode == mine.exitCode {
      Platform.printError(Self.withoutRepeat(mine.errors))
      Platform.print("not comparable: both simulations reached a limit\n")
      tellRepeat()
      return .limit
    }
    guard sides.differ || mine.exitCode != other.exitCode else {
      Platform.print("the same under \(sides.leftTitle) and \(sides.rightTitle)\n")
      return .success
    }
    Platform.print(sides.text(colored: options.color.decide(Platform.wantsColor(Platform.standardOutput))))
    tellRepeat()
    return .finding
  }

  // MARK: With a live run

  func withLive() throws(UsageError) -> ExitCode {
    if case .unfit(let reason) = remark {
      Platform.printMessage("\(options.script): not compared: \(reason)\n")
      return .success
    }
    try LiveCommand.program()
    let simulation = try simulate(["--semantics", Self.profile, "--show", remark.categories])
    let expected = TraceLine.read(simulation.output)
    guard let end = expected.last, end.event == "end" else {
      Platform.printError(Self.withoutRepeat(simulation.errors))
      tellRepeat()
      return ExitCode(rawValue: simulation.exitCode ?? ExitCode.defect.rawValue)
    }
    if let reason = Self.obstacle(expected) {
      Platform.printMessage("\(options.script): not comparable: \(reason)\n")
      tellRepeat()
      return .finding
    }
    guard LiveComparison.canCompare(expected) else {
      Platform.print(
        "\(options.script): nothing to compare: its threads start and end, and do nothing that is traced\n")
      return .nothingToRun
    }
    var comparisons: [LiveComparison] = []
    var errors: [UInt8] = []
    for _ in 1...Self.attempts {
      let live = try start(liveArguments(until: end.time))
      if Platform.isInterrupted { return .interrupted }
      let comparison = LiveComparison(
        expected, TraceLine.read(live.output), tolerance: Nanoseconds(seconds: options.tolerance / options.timeScale))
      comparisons.append(comparison)
      if comparison.agrees {
        let summary = comparison.summary + remark.addition
        Platform.printMessage("\(options.script): the simulation and the live run agree (\(summary))\n")
        if let traded = Self.traded(comparisons) {
          Platform.printMessage("but not always: live run 1 of \(comparisons.count) did otherwise. \(advice(traded))")
        }
        return .success
      }
      errors = live.errors
      if let signal = live.exitCode == nil ? live.signal : nil {
        errors += Array("rlsim: the live run was ended by signal \(signal)\n".utf8)
      }
    }
    Platform.printError(Self.withoutRepeat(errors))
    report(comparisons)
    return .finding
  }

  /// The first two live runs that did not do the same.
  private static func traded(_ comparisons: [LiveComparison]) -> TradedPlaces? {
    for (index, one) in comparisons.enumerated() {
      for other in comparisons[..<index] where !one.isSameLive(as: other) {
        if let traded = other.traded(with: one) { return traded }
      }
    }
    return nil
  }

  private func report(_ comparisons: [LiveComparison]) {
    let last = comparisons[comparisons.count - 1]
    let isSteady = comparisons.dropLast().allSatisfy { $0.isSameLive(as: last) }
    if !isSteady {
      let count = comparisons.count
      Platform.printMessage("\(options.script): not comparable: \(count) live runs differ among themselves\n")
      if let traded = Self.traded(comparisons) { Platform.printMessage(advice(traded)) }
    }
    Platform.print(last.report)
    if isSteady && last.mayBeRace {
      Platform.printMessage(
        "If it is left to the speed of threads which of them comes first (live, a thread needs some time to start, and to"
          + " compute), this is a race of the script and no difference of the two: '\(exploreCommand)' shows what the orders"
          + " lead to.\n")
    }
    if last.isLate {
      Platform.print("only times differ: where the machine is late, --tolerance or --time-scale give it more room\n")
    }
    tellRepeat()
  }

  /// The command that repeats the comparison.
  private func tellRepeat() {
    Platform.printMessage("repeat with: \(shellCommand([Platform.programName, "compare"] + repeatArguments))\n")
  }

  /// What a run that was compared wrote to standard error, less the command that repeats that run alone.
  private static func withoutRepeat(_ errors: [UInt8]) -> String {
    let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.filter { !$0.hasPrefix("repeat with: ") }.joined(separator: "\n")
  }

  /// What is the matter with a script of which live runs differ, and what to do.
  private func advice(_ traded: TradedPlaces) -> String {
    """
    \(traded.description).
    To do: \(traded.remedy); '\(exploreCommand)' shows what the orders lead to; a line \
    '--! compare: no, REASON' in the script keeps it from being compared.

    """
  }

  private var exploreCommand: String {
    shellCommand([Platform.programName, "explore"] + scriptsOption + [options.script])
  }

  private var repeatArguments: [String] {
    var words = scriptsOption + [options.script, "--with", options.other?.rawValue ?? "live"]
    if options.timeScale != 1 { words += ["--time-scale", "\(options.timeScale)"] }
    if options.tolerance != 0.02 { words += ["--tolerance", "\(options.tolerance)"] }
    return words + (options.arguments.isEmpty ? [] : ["--"] + options.arguments)
  }

  /// Why a simulation has nothing to be compared with.
  private static func obstacle(_ lines: [TraceLine]) -> String? {
    if lines.contains(where: { $0.event == "fault" && $0.text.contains("busyLoop") }) {
      return
        "in the simulation a thread goes round without end (busyLoop): only what blocks, sleeps or works lets time pass"
        + " and others run there"
    }
    if let end = lines.last, end.value("reason") == "limit" { return "the simulation reached a limit" }
    return nil
  }

  private static let attempts = 3

  private static var profile: String {
    #if canImport(Darwin)
      "apple"
    #else
      "linux"
    #endif
  }

  // MARK: Running

  private var scriptsOption: [String] { options.scripts.map { ["--scripts=\($0)"] } ?? [] }

  private func simulate(_ words: [String]) throws(UsageError) -> ChildProcess.Result {
    let words = ["run"] + scriptsOption + [options.script] + words
    return try start(options.arguments.isEmpty ? words : words + ["--"] + options.arguments)
  }

  /// The live run gets a little longer than the simulation: it has to be at rest by then, or to have ended.
  private func liveArguments(until end: Int64) -> [String] {
    let seconds = Double(end) / 1e9 + (0.15 + options.tolerance) / options.timeScale
    var words = ["live"] + scriptsOption + [options.script, "--time-scale", "\(options.timeScale)"]
    words += ["--until", "\(seconds)", "--timeout", "600", "--show", remark.categories]
    words += ["--align=never", "--color=never"]
    let given = header.firstIndex(of: "--").map { Array(header[header.index(after: $0)...]) } ?? options.arguments
    return given.isEmpty ? words : words + ["--"] + given
  }

  private func start(_ arguments: [String]) throws(UsageError) -> ChildProcess.Result {
    do throws(FileError) {
      let child = try ChildProcess.start(arguments)
      guard let ended = ChildProcess.waitForAny() else {
        child.end()
        return ChildProcess.Result(exitCode: ExitCode.interrupted.rawValue)
      }
      return try child.collect(status: ended.status)
    } catch {
      throw UsageError("cannot run the script: \(error.message)")
    }
  }
}
