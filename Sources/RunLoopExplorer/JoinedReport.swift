/// The reports of the shares of an exploration, put together: what the whole exploration would have reported.
public struct JoinedReport: Sendable {
  public private(set) var report = ExploreReport()
  /// The script, as the first report names it.
  public let script: String
  /// The words of a command that replays a schedule.
  public let replay: [String]

  /// - Throws: which of the reports does not belong to the others.
  public init(_ reports: [ShareReport]) throws(ShareReport.Mismatch) {
    guard let first = reports.first else { throw ShareReport.Mismatch(message: "there are no reports to join") }
    try Self.check(reports)
    script = first.script
    replay = first.replay
    report.strategy = first.options.strategy.rawValue
    report.whyNotReduced = first.whyNotReduced
    let shares = reports.sorted { $0.shard.index < $1.shard.index }
    var sum = Share()
    for share in shares {
      sum.add(share.share)
      report.seconds += share.seconds
      report.wasInterrupted = report.wasInterrupted || share.wasInterrupted
    }
    let reasons = Self.missing(shares)
    report.isExhausted = reasons.isEmpty
    report.reason = reasons.joined(separator: "; ")
    report.take(sum, first.options, isLeast: reasons.isEmpty)
    for index in report.findings.indices where report.findings[index].cost < .none {
      Self.complete(&report.findings[index], shares)
    }
    report.judge(sum, first.options)
  }

  private static func check(_ reports: [ShareReport]) throws(ShareReport.Mismatch) {
    let first = reports[0]
    var places: [Int: String] = [:]
    for each in reports {
      func mismatch(_ what: String) -> ShareReport.Mismatch {
        ShareReport.Mismatch(message: "'\(each.path)' and '\(first.path)' cannot be joined: \(what)")
      }
      if each.scriptDigest != first.scriptDigest {
        throw mismatch("they are of different scripts, or of different states or run options of one")
      }
      if each.optionsDigest != first.optionsDigest { throw mismatch("they are of different options of explore") }
      if each.shard.count != first.shard.count {
        throw mismatch("one is of \(each.shard.count) shares, the other of \(first.shard.count)")
      }
      if let other = places[each.shard.index] {
        throw ShareReport.Mismatch(
          message: "share \(each.shard.index) of \(each.shard.count) is there twice: '\(other)' and '\(each.path)'")
      }
      places[each.shard.index] = each.path
    }
  }

  /// Why not everything was explored.
  private static func missing(_ shares: [ShareReport]) -> [String] {
    let count = shares[0].shard.count
    let there = Set(shares.map(\.shard.index))
    let absent = (1...count).filter { !there.contains($0) }
    var reasons = shares.filter { !$0.isExhausted }.map { "share \($0.shard.index) of \(count): \($0.reason)" }
    if !absent.isEmpty {
      let list = absent.map(String.init).joined(separator: ", ")
      let what = absent.count == 1 ? "share \(list) of \(count) is missing" : "shares \(list) of \(count) are missing"
      reasons.insert(what, at: 0)
    }
    return reasons
  }

  /// Takes schedule and critical step from the report whose shortest schedule is the shortest of all.
  private static func complete(_ finding: inout Finding, _ shares: [ShareReport]) {
    guard let observation = finding.observations.first else { return }
    for share in shares where share.share.findings[observation]?.moves == finding.moves {
      for (json, observations) in zip(share.findings, share.observations) where observations.contains(observation) {
        finding.schedule = json["schedule"]?.string ?? ""
        finding.named = json["named"]?.string ?? ""
        finding.wasReplayed = json["replayed"]?.bool ?? false
        finding.loops = json["loops"]?.strings ?? []
        // Hangs that come together in this share may not do so in another: then it is not known of this one alone.
        if observations == finding.observations { finding.criticalStep = json["criticalStep"]?.string }
        return
      }
    }
  }
}
