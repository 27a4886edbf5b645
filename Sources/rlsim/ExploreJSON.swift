import RunLoopExplorer

/// The report of an exploration as JSON.
struct ExploreJSON {
  private var members: [JSON.Member]

  init(_ report: ExploreReport, script: String) {
    members = [
      .init("version", .integer(ExploreReport.version)), .init("script", .string(script)),
      .init("strategy", .string(report.strategy)), .init("verdict", .string(report.verdict.rawValue)),
    ]
    if !report.reason.isEmpty { members.append(.init("reason", .string(report.reason))) }
    if let shard = report.shard {
      members.append(
        .init("shard", .object([.init("index", .integer(shard.index)), .init("count", .integer(shard.count))])))
    }
    members += [
      .init("schedules", .integer(report.schedules)), .init("traces", .integer(report.traces)),
      .init("interleavings", .number(report.interleavings)), .init("orders", .integer(report.orders)),
      .init("exhausted", .bool(report.isExhausted)), .init("brokenOff", .integer(report.brokenOff)),
      .init("cameBack", .integer(report.cameBack)),
      .init("choicePoints", .integer(report.choicePoints)), .init("seenShare", .number(report.seenShare)),
      .init("cumulativeByPreemptions", .integers(report.cumulative)), .init("seconds", .number(report.seconds)),
    ]
    if report.tracesAreEstimated { members.append(.init("tracesAreEstimated", .bool(true))) }
    if report.ordersAreEstimated { members.append(.init("ordersAreEstimated", .bool(true))) }
    if let chance = report.guarantee { members.append(.init("guarantee", .number(chance))) }
    members.append(.init("findings", .array(report.findings.map(Self.finding))))
  }

  mutating func add(_ more: [JSON.Member]) { members += more }

  var text: String { JSON.object(members).sealedText + "\n" }

  private static func finding(_ finding: Finding) -> JSON {
    var members: [JSON.Member] = [
      .init("kind", .string(finding.kind)), .init("details", .strings(finding.details)),
      .init("runs", .integer(finding.runs)), .init("interleavings", .number(finding.interleavings)),
      .init("chance", .number(finding.chance)),
    ]
    if !finding.schedule.isEmpty {
      members += [
        .init("preemptions", .integer(finding.preemptions)), .init("schedule", .string(finding.schedule)),
        .init("named", .string(finding.named)), .init("replayed", .bool(finding.wasReplayed)),
      ]
    }
    if !finding.loops.isEmpty { members.append(.init("loops", .strings(finding.loops))) }
    if let step = finding.criticalStep { members.append(.init("criticalStep", .string(step))) }
    return .object(members)
  }
}
