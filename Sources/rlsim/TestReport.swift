import RunLoopTrace

/// Writes the results of tests in one of the formats, to standard output, in the order of the tests.
protocol TestReport {
  /// Before the first test.
  mutating func begin(count: Int)
  /// After each test, and for each golden file without a script.
  mutating func add(_ name: String, file: String, _ result: TestResult)
  /// After the last one.
  mutating func end(passed: Int, failed: Int)
}

extension TestOptions {
  /// The report that was asked for.
  func makeReport() -> any TestReport {
    switch format {
    case .text: TextReport(colored: color.decide(Platform.wantsColor(Platform.standardOutput)))
    case .tap: TAPReport()
    case .junit: JUnitReport()
    case .github: GitHubReport()
    }
  }
}

/// `N passed, N failed`.
func summary(passed: Int, failed: Int) -> String { "\(passed) passed, \(failed) failed\n" }

/// For readers: failures with their diffs, what was updated, and the summary.
struct TextReport: TestReport {
  var colored: Bool

  func begin(count: Int) {}

  func add(_ name: String, file: String, _ result: TestResult) {
    switch result {
    case .passed: break
    // A script that fails may be there to show it, or not: whoever accepts the file should know.
    case .updated(let code):
      Platform.print("updated \(Shown.line(file))\(code == 0 ? "" : " (the run ends with exit code \(code))")\n")
    case .failed(let failure): Platform.print(text(name, failure))
    }
  }

  /// What is printed of a failure: lines, the last of them empty.
  func text(_ name: String, _ failure: TestFailure) -> String {
    var text = paint("FAILED \(Shown.line(name))", "1;31") + "\n\(failure.message)\n"
    for line in failure.details { text += paintDiff(line) + "\n" }
    text += "repeat with: \(failure.repeatCommand)\n"
    if let command = failure.acceptCommand { text += "accept with: \(command)\n" }
    return text + "\n"
  }

  func end(passed: Int, failed: Int) { Platform.print(summary(passed: passed, failed: failed)) }

  private func paintDiff(_ line: String) -> String {
    switch line.first {
    case "-": paint(line, "31")
    case "+": paint(line, "32")
    case "@": paint(line, "36")
    default: line
    }
  }

  private func paint(_ text: String, _ code: String) -> String { colored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
}
