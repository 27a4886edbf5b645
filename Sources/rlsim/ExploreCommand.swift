import RunLoopExplorer
import RunLoopScript
import RunLoopTrace

extension Command {
  static let explore: Command = Command(
    name: "explore", synopsis: "explore [OPTION...] SCRIPT.lua [-- ARG...]",
    summary: "search the interleavings of a script's threads for faults",
    details: """
      The verdict is holds (exit code 0): everything was explored and nothing found; fails (1): with findings, each with the
      shortest schedule that shows it; or inconclusive (4): a bound was reached first, or there was nothing to explore.
      """,
    options: ExploreCommandOptions.options.map(\.description)
  ) { arguments throws(UsageError) in
    guard var (values, parsed) = try ExploreCommandOptions.parse(arguments, after: ScriptHeader()) else {
      Platform.print(Help.of(.explore))
      return .success
    }
    if values.selfTest { return SelfTest.run() }
    guard parsed.operands.count == 1 else {
      throw UsageError("one script is needed ('rlsim explore --help' tells the usage)")
    }
    let file = try ScriptFile.read(parsed.operands[0])
    let header = try ScriptHeader(file)
    if let both = try ExploreCommandOptions.parse(arguments, after: header) { (values, parsed) = both }
    values.run.script = parsed.operands[0]
    return try ExploreCommand(values, file).run()
  }
}

/// One run of `rlsim explore`.
struct ExploreCommand {
  private let values: ExploreCommandOptions
  private let file: ScriptFile

  init(_ values: ExploreCommandOptions, _ file: ScriptFile) {
    self.values = values
    self.file = file
  }

  func run() throws(UsageError) -> ExitCode {
    let script = values.run.scriptOptions(file)
    Platform.catchInterrupts()
    let progress = Progress()
    var options = values.explore
    options.shouldStop = { Platform.isInterrupted }
    options.module = file.module
    let golden = GoldenOrders(script: values.run.script)
    options.keptOrders = values.ordersOnly ? .max : golden == nil ? 0 : GoldenOrders.keptOrders
    // One run for each trace would not show every order.
    if values.ordersOnly { options.reduces = false }
    let explorer = Explorer(script, options, now: Self.now)
    explorer.progress = { schedules, findings in
      if schedules & 4095 == 0 { progress.show("\(schedules) schedules, \(findings) findings") }
    }
    var report = explorer.explore()
    progress.clear()
    if let error = report.syntaxError {
      Platform.printError("rlsim: \(error)\n")
      return .usage
    }
    if let why = report.whyNotReduced {
      if options.mustReduce { throw UsageError("--reduce is refused: \(why)") }
      Platform.printError("rlsim: \(why)\n")
    }
    if values.crossChecks { report.notes += crossCheck(explorer, report, script, options) }
    if values.ordersOnly {
      print(OrderList(report, script))
    } else {
      let sentence = golden?.sentence(report, script)
      Platform.print(ExploreText(report, golden: sentence, replay: replayCommand, isNamed: values.isNamed).text)
    }
    for note in report.notes { Platform.printError("rlsim: \(note)\n") }
    try write(report, script)
    if report.wasInterrupted { return .interrupted }
    if !report.notes.isEmpty { return .defect }
    return switch report.verdict {
    case .holds: .success
    case .fails: .finding
    case .inconclusive: .limit
    }
  }

  /// Prints the list of orders, and on standard error what runs each again.
  private func print(_ list: OrderList) {
    Platform.print(list.text)
    for (index, order) in list.orders.enumerated() {
      Platform.printError("\(OrderList.replayMark)\(index + 1): \(replayCommand(order.schedule))\n")
    }
  }

  static var now: () -> Double { { Double(Platform.monotonicNanoseconds) / 1e9 } }

  /// Explores with and without reduction and compares what was found.
  private func crossCheck(
    _ explorer: Explorer, _ first: ExploreReport, _ script: ScriptOptions, _ options: ExploreOptions
  ) -> [String] {
    var other = options
    other.reduces.toggle()
    other.strategy = .exhaustive
    let second = Explorer(script, other, now: Self.now)
    let report = second.explore()
    guard first.isExhausted, report.isExhausted else {
      Platform.printError("rlsim: the two ways of exploring cannot be compared: not both were exhausted\n")
      return []
    }
    if explorer.foundTheSame(as: second) {
      Platform.printError("rlsim: both ways of exploring agree (\(report.schedules) schedules in the other one)\n")
      return []
    }
    return ["the reduced and the full exploration disagree: \(explorer.difference(from: second))"]
  }

  /// The command that runs a schedule again.
  private func replayCommand(_ schedule: String) -> String {
    var words = [Platform.programName, "replay"]
    if let profile = values.run.profile { words.append("--semantics=\(profile.rawValue)") }
    if let seed = values.run.seed { words.append("--seed=\(seed)") }
    if let until = values.untilText { words.append("--until=\(until)") }
    words += [values.run.script, schedule]
    if !values.run.arguments.isEmpty { words += ["--"] + values.run.arguments }
    return shellCommand(words)
  }

  // MARK: Files

  private func write(_ report: ExploreReport, _ script: ScriptOptions) throws(UsageError) {
    if let path = values.report {
      try write(Array(ExploreJSON.text(report, script: values.run.script).utf8), path)
    }
    guard let directory = values.traceDirectory else { return }
    for (index, finding) in report.findings.enumerated() where !finding.schedule.isEmpty {
      let path =
        "\(directory)/\(index + 1)-\(finding.kind).\(values.traceFormat == .text ? "trace" : values.traceFormat.rawValue)"
      do throws(OutputError) {
        try makeDirectory(directory)
        let writer = TraceWriter()
        writer.add(values.traceFormat.make(), to: try TraceOutput.file(path))
        _ = try? ScheduleText.replay(finding.schedule, script, writer)
        _ = writer.finish()
      } catch {
        throw UsageError(error.message)
      }
    }
  }

  private func makeDirectory(_ path: String) throws(OutputError) {
    do throws(FileError) {
      try Files.makeDirectories(path)
    } catch {
      throw OutputError(name: path, number: error.number)
    }
  }

  private func write(_ bytes: [UInt8], _ path: String) throws(UsageError) {
    do throws(FileError) {
      try Files.write(bytes, to: path)
    } catch {
      throw UsageError("cannot write '\(path)': \(error.message)")
    }
  }
}
