/// What one cause shows more than once: a race between threads that are all made alike, a hang that leaves several
/// threads waiting.
extension Share {
  /// Adds that a run, whose observations are noted, shows these races.
  mutating func note(races: [RaceDetector.Race]) {
    for race in races { findings[race.observation]?.threads.insert(race.threads) }
  }

  /// Adds that a run, whose observations are noted, has these at its end.
  mutating func note(hangsAmong observations: [Observation]) {
    let hangs = observations.filter(\.isHang)
    if hangs.isEmpty { return }
    let lines = Set(hangs.flatMap(\.details))
    for hang in hangs {
      let isFirst = findings[hang]?.runs == 1
      findings[hang]?.restrictCompanions(to: lines, isFirst: isFirst)
    }
  }

  /// The observations that are told as one finding each: hangs that the same runs show are one.
  var observationsByCause: [[Observation]] {
    var groups: [[Observation]] = []
    var told: Set<Observation> = []
    for (observation, shown) in firstFindings where told.insert(observation).inserted {
      let others = shown.companions.sorted().map { Observation(kind: observation.kind, details: [$0]) }.filter {
        $0 != observation && findings[$0]?.companions == shown.companions
      }
      told.formUnion(others)
      groups.append([observation] + others)
    }
    return groups
  }

  /// What a finding is about, for people.
  func details(of observations: [Observation]) -> [String] {
    guard let observation = observations.first, let threads = findings[observation]?.threads, !threads.isEmpty else {
      return observations.flatMap(\.details)
    }
    let pairs = threads.sorted { Self.order($0) < Self.order($1) }
    var lines = zip(pairs[0], observation.details).map { "\($0): \($1)" }
    let others = Set(pairs.map { Set($0) }).count - 1
    if others > 0 { lines.append("the same between \(others) other pair\(others == 1 ? "" : "s") of threads") }
    return lines
  }

  /// `t2` comes before `t10`.
  private static func order(_ pair: [String]) -> (Int, String, Int, String) {
    (pair[0].utf8.count, pair[0], pair[1].utf8.count, pair[1])
  }
}

extension Share.Shown {
  mutating func restrictCompanions(to lines: Set<String>, isFirst: Bool) {
    if isFirst { companions = lines } else { companions.formIntersection(lines) }
  }
}

extension Observation {
  /// Whether it is a thread that waits for ever.
  var isHang: Bool { kind == "stuck" }
}
