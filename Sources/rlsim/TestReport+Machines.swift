import RunLoopTrace

/// TAP 14.
struct TAPReport: TestReport {
  private var number = 0
  private var count = 0

  mutating func begin(count: Int) {
    self.count = count
    Platform.print("TAP version 14\n1..\(count)\n")
  }

  mutating func add(_ name: String, file: String, _ result: TestResult) {
    number += 1
    // A `#` would begin a directive.
    let name = Shown.line(name).split(separator: "#", omittingEmptySubsequences: false).joined(separator: "\\#")
    guard case .failed(let failure) = result else {
      Platform.print("ok \(number) - \(name)\n")
      return
    }
    var text = "not ok \(number) - \(name)\n  ---\n  message: |\n    \(failure.message)\n"
    if !failure.details.isEmpty { text += "  details: |\n" }
    // Escaped: what YAML takes for the end of a line, or does not take at all, would end the block.
    for line in failure.details { text += "    \(Shown.message(line))\n" }
    text += "  repeat: |\n    \(failure.repeatCommand)\n"
    if let command = failure.acceptCommand { text += "  accept: |\n    \(command)\n" }
    Platform.print(text + "  ...\n")
  }

  func end(passed: Int, failed: Int) {
    if number < count { Platform.print("Bail out! not all tests were run\n") }
    Platform.print("# " + summary(passed: passed, failed: failed))
  }
}

/// JUnit's XML: the document on standard output, the summary on standard error.
struct JUnitReport: TestReport {
  private var cases = ""

  func begin(count: Int) {}

  mutating func add(_ name: String, file: String, _ result: TestResult) {
    let group = name.contains("/") ? name.directoryName : "rlsim"
    func attribute(_ text: String) -> String { "\"\(escapedMarkup(text, asOneLine: true))\"" }
    cases += "    <testcase classname=\(attribute(group)) name=\(attribute(name.baseName)) file=\(attribute(file))"
    guard case .failed(let failure) = result else {
      cases += "/>\n"
      return
    }
    var text = failure.details + ["repeat with: \(failure.repeatCommand)"]
    if let command = failure.acceptCommand { text.append("accept with: \(command)") }
    cases += ">\n      <failure message=\(attribute(failure.message))>"
    cases += escapedMarkup(text.joined(separator: "\n")) + "</failure>\n    </testcase>\n"
  }

  func end(passed: Int, failed: Int) {
    let counts = "tests=\"\(passed + failed)\" failures=\"\(failed)\" errors=\"0\""
    Platform.print(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="rlsim" \(counts)>
        <testsuite name="rlsim" \(counts)>
      \(cases)  </testsuite>
      </testsuites>

      """)
    Platform.printError(summary(passed: passed, failed: failed))
  }
}

/// The text report, and an annotation for GitHub Actions at each failure.
struct GitHubReport: TestReport {
  private let text = TextReport(colored: false)

  func begin(count: Int) {}

  func add(_ name: String, file: String, _ result: TestResult) {
    guard case .failed(let failure) = result else { return text.add(name, file: file, result) }
    let title = Self.escape("rlsim test: \(Shown.line(name))", isProperty: true)
    let place = Self.escape(file, isProperty: true)
    Platform.print("::error file=\(place),title=\(title)::\(Self.escape(failure.message, isProperty: false))\n")
    Platform.print(Self.withoutCommands(text.text(name, failure)))
  }

  func end(passed: Int, failed: Int) { text.end(passed: passed, failed: failed) }

  /// Text of which no line is taken for a workflow command, whatever a script has said: the runner is told to look for
  /// none until it meets a word that the text does not have.
  static func withoutCommands(_ text: String) -> String {
    var number = 1
    while text.contains("rlsim-\(number)") { number += 1 }
    return "::stop-commands::rlsim-\(number)\n\(text)::rlsim-\(number)::\n"
  }

  /// Text as workflow commands have it.
  static func escape(_ text: String, isProperty: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
