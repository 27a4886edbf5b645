/// A part of an exploration that a process is to explore, from its beginning or from where another left it.
public struct Assignment: Sendable {
  /// Which way of going through the runs.
  public struct Phase: Hashable, Sendable {
    /// The whole in one piece; otherwise cut into parts.
    public var isWhole: Bool
    /// Interleavings with more preemptions are left out; nil: none are.
    public var maximumPreemptions: Int?
    /// Threads were seen to go round in circles: every interleaving is taken, each way round once. (A reduction learns
    /// from how runs end what other orders there are; these have no end.)
    public var isInCircles = false
  }

  public var phase: Phase
  /// The number of the part.
  public var part: Int
  /// Where it was left; nil: at its beginning.
  var state: JSON?
  /// The part is left after so many runs.
  var maximumSchedules: Int?
  /// The same, counting also those that were taken in vain.
  var maximumRuns: Int?
  /// In seconds of the clock that all processes share.
  var deadline: Double?
}

/// What came of an assignment.
public struct PartResult: Sendable {
  public enum End: String, Sendable {
    /// The part was explored.
    case exhausted
    /// So many runs as were asked for were taken.
    case limit
    /// There is a finding, and the first was to be the last.
    case finding
    /// The time was over, or it was interrupted.
    case stopped
    /// The script does not compile.
    case syntaxError
    /// Where it was left is of no such part.
    case badState
    /// A state came back, so the reduction does not see all that can follow.
    case circles
    /// So many runs were broken off that the search has no end.
    case endless
  }

  var share: Share
  var end: End
  /// Where it was left; nil: the part was explored.
  var state: JSON?
  /// Of an error.
  var message: String?
}

extension Assignment.Phase {
  /// The same, cut into parts.
  var inParts: Self {
    var phase = self
    phase.isWhole = false
    return phase
  }
}

extension Assignment {
  public var json: JSON {
    .object([
      .init("isWhole", .bool(phase.isWhole)),
      .init("preemptions", phase.maximumPreemptions.map { .integer($0) } ?? .null),
      .init("circles", .bool(phase.isInCircles)),
      .init("part", .integer(part)), .init("state", state ?? .null),
      .init("schedules", maximumSchedules.map { .integer($0) } ?? .null),
      .init("runs", maximumRuns.map { .integer($0) } ?? .null),
      .init("deadline", deadline.map { .number($0) } ?? .null),
    ])
  }

  /// Takes what `json` gave; nil when it is something else.
  public init?(_ json: JSON) {
    guard let isWhole = json["isWhole"]?.bool, let isInCircles = json["circles"]?.bool,
      let part = json["part"]?.integer
    else { return nil }
    phase = Phase(isWhole: isWhole, maximumPreemptions: json["preemptions"]?.integer, isInCircles: isInCircles)
    self.part = part
    state = json["state"].flatMap { $0 == .null ? nil : $0 }
    maximumSchedules = json["schedules"]?.integer
    maximumRuns = json["runs"]?.integer
    deadline = json["deadline"]?.number
  }
}

extension PartResult {
  public var json: JSON {
    .object([
      .init("share", share.json), .init("end", .string(end.rawValue)), .init("state", state ?? .null),
      .init("message", message.map { .string($0) } ?? .null),
    ])
  }

  /// Takes what `json` gave; nil when it is something else.
  public init?(_ json: JSON) {
    guard let share = json["share"].flatMap({ Share($0) }),
      let end = json["end"]?.string.flatMap({ End(rawValue: $0) })
    else { return nil }
    self.share = share
    self.end = end
    state = json["state"].flatMap { $0 == .null ? nil : $0 }
    message = json["message"]?.string
  }
}

/// Who explores parts: this process, or several others.
public protocol Crew: AnyObject {
  /// How many parts it explores at the same time.
  var width: Int { get }
  /// Begins with a part. Only while fewer than `width` are under way.
  func start(_ assignment: Assignment)
  /// Waits until one is done.
  ///
  /// - Returns: nil when none is under way.
  func wait() -> CrewReport?
  /// Gives up all that is under way.
  func cancel()
}

/// What a crew has to say.
public enum CrewReport: Sendable {
  case done(Assignment, PartResult)
  /// Nobody could explore the part: why, in words.
  case lost(Assignment, String)
}
