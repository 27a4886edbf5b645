import RunLoopExplorer

/// The report of an exploration, for people.
struct ExploreText {
  private let report: ExploreReport
  private let replay: (String) -> String
  private let isNamed: Bool
  private let golden: String?

  /// - Parameters:
  ///   - golden: what there is to say of the script's golden file.
  ///   - replay: the command that runs a schedule again.
  init(_ report: ExploreReport, golden: String?, replay: @escaping (String) -> String, isNamed: Bool) {
    self.golden = golden
    self.report = report
    self.replay = replay
    self.isNamed = isNamed
  }

  var text: String {
    report.findings.map(describe).joined() + counts + (golden.map { $0 + "\n" } ?? "") + verdict
  }

  private func describe(_ finding: Finding) -> String {
    var text = "\(finding.kind)\n"
    for line in finding.details + finding.loops { text += "  \(line)\n" }
    guard !finding.schedule.isEmpty else { return text + "  no single run shows it\n\n" }
    text += "  shown by \(Self.grouped(finding.runs)) of \(Self.grouped(report.schedules)) schedules"
    if report.interleavings.isFinite, finding.interleavings > 0 {
      text += ", \(Self.grouped(finding.interleavings)) of \(Self.grouped(report.interleavings)) interleavings"
      text += " (\(Self.percent(finding.interleavings / report.interleavings)))"
    }
    let preemptions = Self.counted(finding.preemptions, "preemption")
    text += finding.isLeast ? "\n  needs \(preemptions) at least" : "\n  needs \(preemptions), or fewer"
    // What was not explored may show it, too.
    if report.isExhausted, finding.chance > 0 {
      text += "; a random walk shows it with a chance of \(Self.percent(min(1, finding.chance)))"
    } else if finding.chance >= Self.leastShare {
      text += "; a random walk shows it with a chance of at least \(Self.percent(min(1, finding.chance)))"
    }
    text += "\n"
    if let step = finding.criticalStep { text += "  critical step: \(step)\n" }
    let schedule = isNamed ? finding.named : finding.schedule
    text += "  schedule: \(schedule)\n"
    if !finding.wasReplayed { text += "  (the schedule did not show it when it was run again)\n" }
    return text + "  replay: \(replay(schedule))\n\n"
  }

  private var counts: String {
    var text = report.shard.map { "share \($0.index) of \($0.count): " } ?? ""
    text += "\(Self.counted(report.schedules, "schedule")), "
    text += Self.counted(report.traces, "trace", isEstimate: report.tracesAreEstimated)
    if report.interleavings.isFinite { text += " (\(Self.counted(report.interleavings, "interleaving")))" }
    text += ", \(Self.counted(report.orders, "order", isEstimate: report.ordersAreEstimated))"
    text += ", \(report.isExhausted ? "exhausted" : "not exhausted")"
    if !report.isExhausted, report.seenShare > 0 {
      text += " (\(Self.percent(min(1, report.seenShare))) of a random walk's ways)"
    }
    text += "; \(Self.counted(report.choicePoints, "choice point"))"
    if report.seconds > 0 { text += "; \(Self.grouped(Double(report.schedules) / report.seconds)) schedules a second" }
    text += "\n"
    if report.cumulative.count > 1 || report.traces > 0 {
      let parts = report.cumulative.enumerated().map { place, count in
        "\(place): \(report.tracesAreEstimated ? "about \(Self.rounded(count))" : Self.grouped(count))"
      }
      text += "traces with at most so many preemptions: \(parts.joined(separator: ", "))\n"
    }
    if report.cameBack > 0 {
      text += "\(Self.counted(report.cameBack, "run")) came back to a state they had been in, and were left there\n"
    }
    if let chance = report.guarantee {
      text += "each run shows a bug of that depth with a chance of at least \(Self.percent(chance))\n"
    }
    return text
  }

  private var verdict: String {
    switch report.verdict {
    case .holds where report.isEmptyShare: "holds: nothing is in this share, the others have it all\n"
    case .holds: "holds\n"
    case .fails: "fails: \(Self.counted(report.findings.count, "finding"))\n"
    case .inconclusive: "inconclusive: \(report.reason)\n"
    }
  }

  // MARK: Numbers

  private static func counted(_ count: Int, _ noun: String, isEstimate: Bool = false) -> String {
    isEstimate ? "about \(rounded(count)) \(noun)s" : "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func counted(_ count: Double, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func grouped(_ number: Double) -> String {
    number < 9e15 ? grouped(Int(number.rounded())) : "\(number)"
  }

  /// A number that is good to about a thousandth.
  private static func rounded(_ number: Int) -> String {
    var scale = 1
    while number / scale >= 10_000 { scale *= 10 }
    return grouped((number + scale / 2) / scale * scale)
  }

  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place % 3 == 0, digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// Smaller ones are not told in figures.
  private static let leastShare = 0.000_01

  /// Three significant digits.
  private static func percent(_ share: Double) -> String {
    if share > 0, share < leastShare { return "less than 0.001 %" }
    let value = share * 100
    if share >= 1 || value == 0 { return "\(Int(value.rounded())) %" }
    // Not all of it.
    if value >= 99.95 { return "99.9 %" }
    var scale = 1.0
    var digits = 0
    while value * scale < 100, digits < 12 {
      scale *= 10
      digits += 1
    }
    let whole = Int((value * scale).rounded())
    var text = String(whole)
    while text.count <= digits { text = "0" + text }
    if digits > 0 { text.insert(".", at: text.index(text.endIndex, offsetBy: -digits)) }
    return "\(text) %"
  }
}
