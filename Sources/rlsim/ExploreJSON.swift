import RunLoopExplorer

/// The report of an exploration as JSON.
enum ExploreJSON {
  static func text(_ report: ExploreReport, script: String) -> String {
    var fields: [(String, String)] = [
      ("version", "\(ExploreReport.version)"), ("script", string(script)),
      ("strategy", string(report.strategy)), ("verdict", string(report.verdict.rawValue)),
    ]
    if !report.reason.isEmpty { fields.append(("reason", string(report.reason))) }
    fields += [
      ("schedules", "\(report.schedules)"), ("traces", "\(report.traces)"),
      ("interleavings", number(report.interleavings)), ("orders", "\(report.orders)"),
      ("exhausted", "\(report.isExhausted)"), ("brokenOff", "\(report.brokenOff)"), ("cameBack", "\(report.cameBack)"),
      ("choicePoints", "\(report.choicePoints)"), ("seenShare", number(report.seenShare)),
      ("cumulativeByPreemptions", "[" + report.cumulative.map(String.init).joined(separator: ",") + "]"),
      ("seconds", number(report.seconds)),
    ]
    if let chance = report.guarantee { fields.append(("guarantee", number(chance))) }
    fields.append(("findings", "[" + report.findings.map(finding).joined(separator: ",") + "]"))
    return object(fields) + "\n"
  }

  private static func finding(_ finding: Finding) -> String {
    var fields: [(String, String)] = [
      ("kind", string(finding.kind)), ("details", "[" + finding.details.map(string).joined(separator: ",") + "]"),
      ("runs", "\(finding.runs)"), ("interleavings", number(finding.interleavings)),
      ("chance", number(finding.chance)),
    ]
    if !finding.schedule.isEmpty {
      fields += [
        ("preemptions", "\(finding.preemptions)"), ("schedule", string(finding.schedule)),
        ("named", string(finding.named)), ("replayed", "\(finding.wasReplayed)"),
      ]
    }
    if !finding.loops.isEmpty {
      fields.append(("loops", "[" + finding.loops.map(string).joined(separator: ",") + "]"))
    }
    if let step = finding.criticalStep { fields.append(("criticalStep", string(step))) }
    return object(fields)
  }

  private static func object(_ fields: [(String, String)]) -> String {
    "{" + fields.map { "\(string($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }

  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    return value == value.rounded() && abs(value) < 9e15 ? "\(Int(value))" : "\(value)"
  }

  private static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if scalar.value < 0x20 {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
