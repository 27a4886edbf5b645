/// Goes through the parts of one phase with a crew, and puts together what they show in the order of the parts: so it comes
/// to the same with any number of processes.
struct PhaseRun {
  /// Why it ended.
  enum End: Equatable {
    case exhausted
    /// So many runs were taken.
    case limit
    case finding
    case stopped
    /// A state came back, so the reduction does not see all that can follow; or for another reason, in a sentence.
    case circles(String?)
    /// So many runs were broken off that the search has no end.
    case endless
    /// A part could not be explored: why.
    case lost(String)
    case failed(PartResult.End, String)
  }

  private(set) var progress: ExploreProgress
  private let crew: any Crew
  /// nil: without end.
  private let partCount: Int?
  private let shard: ExploreOptions.Shard?
  private let stopsAtFirst: Bool
  /// Runs that may still be taken; nil: as many as there are.
  var maximumSchedules: Int?
  var maximumRuns: Int?
  var deadline: Double?
  /// Parts are left, for what is known to be kept, after so many seconds.
  var slice: Double?
  var now: () -> Double = { 0 }
  /// Told what is known, after each slice.
  var checkpoint: ((ExploreProgress) -> Void)?
  /// Told how many runs were taken and how many findings there are.
  var tell: ((Int, Int) -> Void)?
  /// Asked before a part is begun.
  var shouldStop: () -> Bool = { false }

  /// What parts have shown that come after one that is not done.
  private var ahead: [Int: (share: Share, isDone: Bool, state: JSON?)] = [:]
  private var begun: Set<Int> = []
  /// Parts under way whose beginning was thrown away: what comes of them is, too.
  private var stale: Set<Int> = []
  private var cursor: Int
  private var wasLost: String?
  /// Whether a part has more runs than may be taken.
  private var hasMore = false
  private let schedulesBefore: Int

  init(
    _ progress: ExploreProgress, _ crew: any Crew, partCount: Int?, shard: ExploreOptions.Shard?, stopsAtFirst: Bool
  ) {
    self.progress = progress
    self.crew = crew
    self.partCount = partCount
    self.shard = shard
    self.stopsAtFirst = stopsAtFirst
    cursor = progress.next
    schedulesBefore = progress.share.schedules
  }

  /// Runs that may still be taken.
  private var remaining: Int? { maximumSchedules.map { $0 - (progress.share.schedules - schedulesBefore) } }

  /// Whether results count only in the order of the parts.
  private var isOrdered: Bool { maximumSchedules != nil || stopsAtFirst }

  private func isMine(_ part: Int) -> Bool { shard.map { part % $0.count == $0.index - 1 } ?? true }

  mutating func go() -> End {
    skipForeign()
    while true {
      if let end = settled() {
        crew.cancel()
        return end
      }
      let isStopping = shouldStop() || deadline.map { now() > $0 } ?? false
      if !isStopping { dispatch() }
      guard let report = crew.wait() else { return ended(isStopping) }
      switch report {
      case .done(let assignment, let result):
        begun.remove(assignment.part)
        if result.end == .badState || result.end == .syntaxError {
          crew.cancel()
          return .failed(result.end, result.message ?? "")
        }
        if result.end == .circles {
          crew.cancel()
          return .circles(result.message)
        }
        take(assignment.part, result)
        if result.end == .endless {
          crew.cancel()
          return finish(.endless)
        }
        if result.end == .limit, maximumRuns != nil { return finish(.limit) }
      case .lost(let assignment, let why):
        begun.remove(assignment.part)
        wasLost = why
        lost.insert(assignment.part)
      }
    }
  }
  private var lost: Set<Int> = []

  // MARK: Giving parts out

  private mutating func dispatch() {
    while begun.count < crew.width, let part = nextPart() {
      begun.insert(part)
      var assignment = Assignment(phase: progress.phase, part: part)
      assignment.state = ahead[part]?.state ?? progress.left[part]
      assignment.maximumSchedules = remaining
      assignment.maximumRuns = maximumRuns
      assignment.deadline = [deadline, slice.map { now() + $0 }].compactMap { $0 }.min()
      crew.start(assignment)
    }
  }

  /// The first part that nobody has.
  private mutating func nextPart() -> Int? {
    // Parts that were left for a moment go on before others begin.
    for part in ahead.keys.sorted() where ahead[part]?.isDone == false && canBegin(part) { return part }
    if progress.next < cursor, isMine(progress.next), canBegin(progress.next), ahead[progress.next] == nil {
      return progress.next
    }
    for part in progress.left.keys.sorted() where canBegin(part) && ahead[part] == nil { return part }
    while partCount.map({ cursor < $0 }) ?? true {
      let part = cursor
      cursor += 1
      if isMine(part), canBegin(part), ahead[part] == nil { return part }
    }
    return nil
  }

  private func canBegin(_ part: Int) -> Bool {
    !begun.contains(part) && !progress.isDone(part) && !lost.contains(part)
  }

  // MARK: Taking results

  private mutating func take(_ part: Int, _ result: PartResult) {
    if stale.remove(part) != nil { return }
    var seen = ahead[part] ?? (Share(), false, nil)
    seen.share.add(result.share)
    seen.isDone = result.end == .exhausted
    if result.end == .limit { hasMore = true }
    seen.state = result.state
    ahead[part] = seen
    if !isOrdered {
      accept(part)
    } else {
      while let head = ahead[progress.next], fits(progress.next, head.share), settled() == nil {
        let part = progress.next
        accept(part)
        if !progress.isDone(part) { break }
      }
    }
    let shares = ahead.values.map(\.share)
    tell?(
      progress.share.schedules + shares.reduce(0) { $0 + $1.schedules },
      progress.share.findings.count + (shares.map(\.findings.count).max() ?? 0))
    if let checkpoint { checkpoint(known()) }
  }

  /// Counts what a part has shown.
  private mutating func accept(_ part: Int) {
    guard let known = ahead.removeValue(forKey: part) else { return }
    progress.share.add(known.share)
    if known.isDone {
      progress.finish(part)
      skipForeign()
    } else {
      progress.left[part] = known.state
    }
  }

  /// Passes over the parts of other shares.
  private mutating func skipForeign() {
    while !isMine(progress.next), partCount.map({ progress.next < $0 }) ?? true {
      progress.finish(progress.next)
    }
  }

  /// Whether what a part has shown is no more than was asked for; otherwise it is to be explored again, not so far.
  private mutating func fits(_ part: Int, _ share: Share) -> Bool {
    guard let remaining, share.schedules > remaining else { return true }
    ahead[part] = nil
    if begun.contains(part) { stale.insert(part) }
    return false
  }

  private func settled() -> End? {
    if stopsAtFirst, !progress.share.findings.isEmpty { return .finding }
    // Parts that are left may have no runs: they are asked.
    if let remaining, remaining <= 0, hasMore || partCount == nil { return .limit }
    return nil
  }

  /// Nobody is at work any more.
  private mutating func ended(_ isStopping: Bool) -> End {
    if !isStopping, let wasLost { return finish(.lost(wasLost)) }
    if !isStopping, partCount.map({ progress.next >= $0 }) ?? false {
      progress.isExhausted = true
      return .exhausted
    }
    return finish(.stopped)
  }

  private mutating func finish(_ end: End) -> End {
    progress = known()
    return end
  }

  /// All that is known, also of parts that come after one that is not done.
  private func known() -> ExploreProgress {
    var all = self
    for part in ahead.keys.sorted() {
      if let known = ahead[part], all.fits(part, known.share) { all.accept(part) }
    }
    return all.progress
  }
}
