import RunLoopExplorer

/// `rlsim explore --merge`: joins the reports of the shares of an exploration.
struct ExploreMerge {
  /// Stands for the schedule in the words that replay one.
  static let schedulePlace = "{schedule}"

  private let values: ExploreCommandOptions
  private let paths: [String]

  init(_ values: ExploreCommandOptions, _ paths: [String]) {
    self.values = values
    self.paths = paths
  }

  func run() throws(UsageError) -> ExitCode {
    guard !paths.isEmpty else { throw UsageError("--merge needs the reports of the shares, files of --report") }
    if let path = values.report, let share = paths.first(where: { Files.isSame($0, path) }) {
      throw UsageError("the report '\(path)' would overwrite that of a share, '\(share)'")
    }
    var reports: [ShareReport] = []
    for path in paths { reports.append(try read(path)) }
    let joined: JoinedReport
    do throws(ShareReport.Mismatch) {
      joined = try JoinedReport(reports)
    } catch {
      throw UsageError(error.message)
    }
    let report = joined.report
    let replay = joined.replay
    let text = ExploreText(
      report, golden: nil,
      replay: { schedule in shellCommand(replay.map { $0 == Self.schedulePlace ? schedule : $0 }) },
      isNamed: values.isNamed)
    Platform.printMessage(text.text)
    if report.verdict == .fails, !report.reason.isEmpty { Platform.printError("rlsim: \(report.reason)\n") }
    for note in report.notes { Platform.printError("rlsim: \(note)\n") }
    if let path = values.report {
      do throws(FileError) {
        try Files.write(Array(ExploreJSON(report, script: joined.script).text.utf8), to: path)
      } catch {
        throw UsageError("cannot write '\(path)': \(error.message)")
      }
    }
    return ExitCode(report)
  }

  private func read(_ path: String) throws(UsageError) -> ShareReport {
    let found: [UInt8]?
    do throws(FileError) {
      found = try Files.read(path)
    } catch {
      throw UsageError("cannot read '\(path)': \(error.message)")
    }
    guard let bytes = found else { throw UsageError("cannot read '\(path)': there is no such file") }
    do {
      return try ShareReport(bytes, path: path, tool: Version.text)
    } catch {
      throw UsageError(error.message)
    }
  }
}
