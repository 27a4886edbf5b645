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
    for line in failure.details { text += "    \(line)\n" }
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
    cases += "    <testcase classname=\"\(Self.escape(group))\" name=\"\(Self.escape(name.baseName))\""
    cases += " file=\"\(Self.escape(file))\""
    guard case .failed(let failure) = result else {
      cases += "/>\n"
      return
    }
    var text = failure.details + ["repeat with: \(failure.repeatCommand)"]
    if let command = failure.acceptCommand { text.append("accept with: \(command)") }
    cases += ">\n      <failure message=\"\(Self.escape(failure.message))\">"
    cases += Self.escape(text.joined(separator: "\n"), keepsLines: true) + "</failure>\n    </testcase>\n"
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

  /// Text as XML has it; characters that XML cannot have become U+FFFD.
  static func escape(_ text: String, keepsLines: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result += keepsLines ? String(scalar) : "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// The text report, and an annotation for GitHub Actions at each failure.
struct GitHubReport: TestReport {
  private let text = TextReport(colored: false)

  func begin(count: Int) {}

  func add(_ name: String, file: String, _ result: TestResult) {
    if case .failed(let failure) = result {
      let title = Self.escape("rlsim test: \(Shown.line(name))", isProperty: true)
      let file = Self.escape(file, isProperty: true)
      Platform.print("::error file=\(file),title=\(title)::\(Self.escape(failure.message, isProperty: false))\n")
    }
    text.add(name, file: file, result)
  }

  func end(passed: Int, failed: Int) { text.end(passed: passed, failed: failed) }

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
