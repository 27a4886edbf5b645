import RunLoopTrace

/// Compares what a test gave with its golden file, and keeps the files.
struct TestJudge {
  let options: TestOptions
  /// Whether new traces may be left beside the golden files: not in CI.
  let mayWrite: Bool

  init(_ options: TestOptions) {
    self.options = options
    mayWrite = ["", "0", "false"].contains(Platform.environment("CI") ?? "")
  }

  /// The result of one test.
  func judge(_ test: TestCase, _ run: TestRunner.Run) -> TestResult {
    switch run {
    case .failure(let error): return .failed(broken(test, error.message, []))
    case .success(let child):
      guard let code = child.exitCode else {
        return .failed(broken(test, "the run was ended by signal \(child.signal)", child.errors))
      }
      // Findings, errors and limits of a script can be what it is there to show; anything else cannot.
      guard [.success, .finding, .scriptError, .limit].contains(ExitCode(rawValue: code)) else {
        return .failed(broken(test, "the run ended with exit code \(code)", child.errors))
      }
      do throws(FileError) {
        return try compare(test, GoldenTrace.make(trace: child.output, exitCode: code), code, child.errors)
      } catch {
        return .failed(broken(test, "cannot use '\(test.golden)': \(error.message)", []))
      }
    }
  }

  /// A golden file that no script belongs to.
  func judge(orphan path: String) -> TestFailure {
    TestFailure(
      message: "golden file without a script: \(path)",
      repeatCommand: options.command(for: "", update: false), acceptCommand: shellCommand(["rm", path]))
  }

  private func compare(_ test: TestCase, _ trace: [UInt8], _ exitCode: Int32, _ errors: [UInt8]) throws(FileError)
    -> TestResult
  {
    let golden = try Files.readOwn(test.golden)
    let newFile = test.golden + ".new"
    if golden == trace {
      if mayWrite || options.update { Files.remove(newFile) }
      return .passed
    }
    if options.update {
      try Files.write(trace, to: test.golden)
      Files.remove(newFile)
      return .updated(exitCode)
    }
    if mayWrite { try Files.write(trace, to: newFile) }
    let end = golden == nil && exitCode != 0 ? ", and the run ended with exit code \(exitCode)" : ""
    var failure = broken(test, "no golden file '\(test.golden)'\(end)", errors)
    if golden == nil { failure.details += Self.faults(trace) }
    failure.acceptCommand = options.command(for: test.script, update: true)
    if let golden, golden.contains(carriageReturn), golden.filter({ $0 != carriageReturn }) == trace {
      failure.message =
        "the golden file's lines end in CRLF, those of a trace in LF; the rest is the same "
        + "('*.trace -text' in .gitattributes keeps git from changing them)"
    } else if let golden, let old = OrderList(golden), let new = OrderList(trace), old.orders != new.orders {
      let difference = OrderDifference(old: old, new: new)
      failure.message = difference.sentence
      failure.details += difference.details { replayCommand(order: $0, errors) }
    } else if let golden {
      let diff = UnifiedDiff(old: golden, new: trace)
      failure.message = firstDifference(diff) ?? "the traces differ"
      let new = mayWrite ? Shown.line(newFile) : "(new trace)"
      failure.details += ["--- \(Shown.line(test.golden))", "+++ \(new)"] + diff.lines(limit: 1000)
    }
    return .failed(failure)
  }

  /// The lines of a trace that say what was wrong with the run.
  private static func faults(_ trace: [UInt8]) -> [String] {
    let lines = String(decoding: trace, as: UTF8.self).split(separator: "\n").map(String.init)
    return lines.filter { line in
      let words = line.split(separator: " ", maxSplits: 3)
      return words.count > 2 && (words[2] == "fault" || words[2] == "expect.fail")
        || line.contains(" - end reason=limit")
    }
  }

  private var carriageReturn: UInt8 { UInt8(ascii: "\r") }

  /// The command that runs an order again, as the exploration has said it.
  private func replayCommand(order: Int, _ errors: [UInt8]) -> String? {
    let mark = "\(OrderList.replayMark)\(order): "
    let line = String(decoding: errors, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(mark) }
    return line.map { String($0.dropFirst(mark.count)) }
  }

  private func broken(_ test: TestCase, _ message: String, _ errors: [UInt8]) -> TestFailure {
    let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n").map(String.init)
    return TestFailure(
      message: message, details: lines.filter { !$0.hasPrefix("repeat with: ") && !$0.hasPrefix(OrderList.replayMark) },
      repeatCommand: options.command(for: test.script, update: false))
  }
}
