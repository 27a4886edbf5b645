import RunLoopScript

/// The report of one share of an exploration (`--shard`), as it was read.
public struct ShareReport: Sendable {
  /// Reports that do not belong together, or none of a share: what is wrong, in a sentence.
  public struct Mismatch: Error, Equatable, Sendable {
    public var message: String
  }

  let path: String
  let shard: ExploreOptions.Shard
  let scriptDigest: Int
  let optionsDigest: Int
  let options: ExploreOptions
  let script: String
  let replay: [String]
  let share: Share
  let isExhausted: Bool
  let reason: String
  let wasInterrupted: Bool
  let seconds: Double
  let whyNotReduced: String?
  /// As the report has them, with their schedules.
  let findings: [JSON]
  /// What each of them is made of.
  let observations: [[Observation]]

  /// - Parameters:
  ///   - bytes: the text of the report.
  ///   - path: where it was read, for messages.
  ///   - tool: the version of this program: another's shares may be cut otherwise.
  /// - Throws: what is wrong with the report.
  public init(_ bytes: [UInt8], path: String, tool: String) throws(Mismatch) {
    func mismatch(_ what: String) -> Mismatch { Mismatch(message: "'\(path)' \(what)") }
    guard let json = try? JSON(bytes) else {
      throw mismatch("is no report of rlsim explore, or was cut short: it is no JSON text")
    }
    guard let version = json["version"]?.integer, json["verdict"] != nil else {
      throw mismatch("is no report of rlsim explore")
    }
    guard version == ExploreReport.version else {
      throw mismatch("is of version \(version) of the report; this rlsim reads version \(ExploreReport.version)")
    }
    guard JSON.isSealed(bytes) else {
      throw mismatch("is damaged, or was changed: its check sum does not fit; explore this share again")
    }
    guard let shard = json["shard"], let parts = json["parts"] else {
      throw mismatch("is the report of a whole exploration, not of a share (--shard I/N)")
    }
    let writer = parts["tool"]?.string ?? "?"
    guard writer == tool else { throw mismatch("was written by rlsim \(writer), and this is \(tool)") }
    guard let index = shard["index"]?.integer, let count = shard["count"]?.integer, 1 <= index, index <= count,
      let scriptDigest = parts["scriptDigest"]?.integer, let optionsDigest = parts["optionsDigest"]?.integer,
      let options = parts["options"].flatMap({ ExploreOptions(summary: $0) }), let script = json["script"]?.string,
      let replay = parts["replay"]?.strings, let share = parts["share"].flatMap({ Share($0) }),
      let isExhausted = parts["exhausted"]?.bool, let wasInterrupted = parts["interrupted"]?.bool,
      let seconds = json["seconds"]?.number, let findings = json["findings"]?.array,
      let observations = parts["observations"].flatMap({ Observation.lists($0) }), observations.count == findings.count
    else { throw mismatch("is damaged: something is missing in it") }
    self.path = path
    self.shard = ExploreOptions.Shard(index: index, count: count)
    self.scriptDigest = scriptDigest
    self.optionsDigest = optionsDigest
    self.options = options
    self.script = script
    self.replay = replay
    self.share = share
    self.isExhausted = isExhausted
    self.wasInterrupted = wasInterrupted
    self.seconds = seconds
    self.findings = findings
    self.observations = observations
    reason = json["reason"]?.string ?? ""
    whyNotReduced = parts["whyNotReduced"]?.string
  }
}

extension Explorer {
  /// What the report of a share has beside, so that all of them can be joined.
  ///
  /// - Parameters:
  ///   - tool: the version of the program.
  ///   - replay: the words of a command that replays a schedule.
  public func partOfWhole(tool: String, replay: [String]) -> [JSON.Member] {
    [
      .init(
        "parts",
        .object([
          .init("tool", .string(tool)), .init("scriptDigest", .integer(Int(Schedule.digest(of: script)))),
          .init("optionsDigest", .integer(Int(options.digest))), .init("options", options.summary),
          .init("replay", .strings(replay)), .init("exhausted", .bool(known.isExhausted)),
          .init("interrupted", .bool(report.wasInterrupted)),
          .init("whyNotReduced", report.whyNotReduced.map { .string($0) } ?? .null),
          .init("observations", .array(report.findings.map { Observation.json($0.observations) })),
          .init("share", share.json),
        ]))
    ]
  }
}

extension ExploreOptions {
  /// What the figures of a report depend on.
  fileprivate var summary: JSON {
    .object([
      .init("strategy", .string(strategy.rawValue)), .init("reduces", .bool(reduces)),
      .init("preemptions", maximumPreemptions.map { .integer($0) } ?? .null), .init("depth", .integer(depth)),
      .init("maximumSteps", .integer(maximumSteps)), .init("stopsAtFirst", .bool(stopsAtFirst)),
    ])
  }

  fileprivate init?(summary json: JSON) {
    guard let strategy = json["strategy"]?.string.flatMap({ Strategy(rawValue: $0) }),
      let reduces = json["reduces"]?.bool, let depth = json["depth"]?.integer,
      let maximumSteps = json["maximumSteps"]?.integer, let stopsAtFirst = json["stopsAtFirst"]?.bool
    else { return nil }
    self.init()
    self.strategy = strategy
    self.reduces = reduces
    self.depth = depth
    self.maximumSteps = maximumSteps
    self.stopsAtFirst = stopsAtFirst
    maximumPreemptions = json["preemptions"]?.integer
  }
}
