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
    if arguments.first == ExploreWorker.word { return try ExploreWorker.run(Array(arguments.dropFirst())) }
    guard let (values, parsed) = try ExploreCommandOptions.parse(arguments, after: ScriptHeader()) else {
      Platform.print(Help.of(.explore))
      return .success
    }
    if values.selfTest { return SelfTest.run() }
    if values.merges { return try ExploreMerge(values, parsed.operands).run() }
    guard let path = parsed.operands.first else {
      throw UsageError("one script is needed ('rlsim explore --help' tells the usage)")
    }
    guard parsed.operands.count == 1 else {
      throw UsageError("one script is needed, and '\(parsed.operands[1])' is a second one")
    }
    return try ExploreCommand(arguments, ScriptFile.read(path, scripts: values.run.scripts), path).run()
  }
}

/// One run of `rlsim explore`.
struct ExploreCommand {
  let values: ExploreCommandOptions
  /// What the session of a run is made with.
  let script: ScriptOptions
  private let file: ScriptFile
  /// The command line, for other processes that explore parts.
  private let arguments: [String]

  /// - Parameters:
  ///   - arguments: the command line, which overrules the script's header.
  ///   - path: where the script was read.
  init(_ arguments: [String], _ file: ScriptFile, _ path: String) throws(UsageError) {
    guard var (values, _) = try ExploreCommandOptions.parse(arguments, after: ScriptHeader(file)) else {
      throw UsageError("a script's header cannot ask for help")
    }
    values.run.script = path
    self.values = values
    self.arguments = arguments
    self.file = file
    var script = values.run.scriptOptions(file)
    script.requiredTexts = Schedule.textsRequired(by: file.source, module: file.module)
    self.script = script
  }

  /// How the script is explored, by this process and by those that help it.
  ///
  /// - Parameter golden: the golden file of the script.
  func explore(_ golden: GoldenOrders?) -> ExploreOptions {
    var options = values.explore
    options.keepsTraces = values.crossChecks
    options.module = file.module
    options.keptOrders = values.ordersOnly ? .max : golden == nil ? 0 : GoldenOrders.keptOrders
    // One run for each trace would not show every order.
    if values.ordersOnly { options.reduces = false }
    return options
  }

  func run() throws(UsageError) -> ExitCode {
    try checkReport()
    Platform.catchInterrupts()
    let progress = Progress()
    let golden = GoldenOrders(script: values.run.script)
    var options = explore(golden)
    options.shouldStop = { Platform.isInterrupted }
    let explorer = Explorer(script, options, now: Self.now)
    var lastShown = 0.0
    var known = (schedules: 0, findings: 0)
    var long = LongExploration(
      now: Self.now(),
      isSilent: !progress.isShown && options.maximumSeconds == nil && options.maximumSchedules == nil)
    let mindTheTime = {
      let words = long.sentence(now: Self.now(), schedules: known.schedules, findings: known.findings)
      if let words { Platform.printError("rlsim: \(words)\n") }
    }
    explorer.progress = { schedules, findings in
      known = (schedules, findings)
      mindTheTime()
      let now = Self.now()
      if now - lastShown < 0.1 { return }
      lastShown = now
      progress.show("\(schedules) schedules, \(findings) findings")
    }
    if values.jobs > 1 {
      explorer.makeCrew = { [values, arguments] _ in
        ExploreWorkers(
          values.jobs, arguments, source: file.source, tell: { Platform.printError("rlsim: \($0)\n") },
          whileWaiting: mindTheTime)
      }
    }
    let resume = values.resume.map { ResumeFile($0, script, options) }
    if let resume {
      explorer.resumed = try resume.read()
      try resume.check()
      explorer.save = resume.keep
    }
    var report = explorer.explore()
    progress.clear()
    if report.cannotResume, let path = values.resume {
      throw UsageError("'\(path)' is damaged: the exploration cannot go on from it; remove it to begin anew")
    }
    if let error = report.syntaxError {
      Platform.printError("rlsim: \(error)\n")
      return .usage
    }
    if let why = report.whyNotReduced {
      if options.mustReduce { throw UsageError("--reduce is refused: \(why)") }
      Platform.printError("rlsim: \(why)\n")
    }
    if values.crossChecks {
      report.notes += crossCheck(explorer, report, script, options)
      report.wasInterrupted = report.wasInterrupted || Platform.isInterrupted
    }
    if values.ordersOnly {
      print(OrderList(report, script))
    } else {
      let sentence = golden?.sentence(report, script)
      Platform.printMessage(ExploreText(report, golden: sentence, replay: replayCommand, isNamed: values.isNamed).text)
    }
    for note in report.notes { Platform.printError("rlsim: \(note)\n") }
    resume?.finish(report, command: shellCommand([Platform.programName, "explore"] + arguments))
    try write(report, script, explorer)
    return ExitCode(report)
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
  private func replayCommand(_ schedule: String) -> String { shellCommand(replayWords(schedule)) }

  private func replayWords(_ schedule: String) -> [String] {
    var words = [Platform.programName, "replay"]
    if let profile = values.run.profile { words.append("--semantics=\(profile.rawValue)") }
    if let seed = values.run.seed { words.append("--seed=\(seed)") }
    if let until = values.untilText { words.append("--until=\(until)") }
    if let scripts = values.run.scripts { words.append("--scripts=\(scripts)") }
    words += [values.run.script, schedule]
    if !values.run.arguments.isEmpty { words += ["--"] + values.run.arguments }
    return words
  }

  // MARK: Files

  /// Refuses a report in the place of what is still needed.
  private func checkReport() throws(UsageError) {
    guard let path = values.report else { return }
    if Files.isSame(path, values.run.script) { throw UsageError("the report '\(path)' would overwrite the script") }
    if let resume = values.resume, Files.isSame(path, resume) {
      throw UsageError("'\(path)' is named for the report and for --resume")
    }
  }

  private func write(
    _ report: ExploreReport, _ script: ScriptOptions, _ explorer: Explorer
  ) throws(UsageError) {
    if let path = values.report {
      var json = ExploreJSON(report, script: values.run.script)
      if values.explore.shard != nil {
        json.add(explorer.partOfWhole(tool: Version.text, replay: replayWords(ExploreMerge.schedulePlace)))
      }
      try write(Array(json.text.utf8), path)
    }
    guard let directory = values.traceDirectory else { return }
    for (index, finding) in report.findings.enumerated() where !finding.schedule.isEmpty {
      let path =
        "\(directory)/\(index + 1)-\(finding.kind).\(values.traceFormat == .text ? "trace" : values.traceFormat.rawValue)"
      do throws(OutputError) {
        try makeDirectory(directory)
        let writer = TraceWriter()
        writer.add(values.traceFormat.make(), to: try TraceOutput.file(path))
        _ = try? ScheduleText(finding.schedule, for: script).replay(script, writer)
        _ = writer.finish()
        if let error = writer.error { throw error }
      } catch {
        throw UsageError(error.message)
      }
    }
  }

  private func makeDirectory(_ path: String) throws(OutputError) {
    do throws(FileError) {
      try Files.makeDirectories(path)
    } catch {
      throw OutputError(name: "'\(path)'", number: error.number)
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
