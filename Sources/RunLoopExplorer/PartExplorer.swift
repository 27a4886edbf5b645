import RunLoopScript

/// Explores parts of a script's runs in this process, one at a time.
public final class PartExplorer: Crew {
  private let options: ExploreOptions
  private let now: () -> Double
  private let run: ScriptRun
  private let script: ScriptOptions
  private var plans: [Assignment.Phase: [Beginning]] = [:]
  private var waiting: Assignment?
  /// When so many runs of a part have not come to an end, the part has none either.
  private static let maximumBrokenOff = 64
  /// So many runs in vain are taken to find out whether there is another one.
  private static let patience = 64
  /// Why runs that were seen cannot be reduced.
  private static let dependsOnMore =
    "what threads do depends on more than their steps tell (which of those due at the same moment goes on first, an error "
    + "that leaves rl.synchronized or rl.once, a table or function in the dictionary of a thread that others use, or "
    + "--time free with few cores), so every interleaving is taken"
  /// Told now and then how many runs of the part were taken, and whether something was found in it.
  public var progress: ((_ schedules: Int, _ findings: Int) -> Void)?

  /// - Parameters:
  ///   - options: with `reduces` as `Explorer.settle` decided.
  ///   - now: a clock in seconds that only goes forward.
  public init(_ script: ScriptOptions, _ options: ExploreOptions, now: @escaping () -> Double) {
    self.options = options
    self.script = script
    self.now = now
    run = ScriptRun(script, options.settings)
    run.keepsBehaviour = options.keepsTraces
    run.maximumSteps = options.maximumSteps
    run.watch.cutsReturns = options.strategy == .exhaustive
  }

  // MARK: As a crew of one

  public let width = 1
  public func start(_ assignment: Assignment) { waiting = assignment }
  public func cancel() { waiting = nil }

  public func wait() -> CrewReport? {
    guard let assignment = waiting else { return nil }
    waiting = nil
    return .done(assignment, explore(assignment))
  }

  // MARK: Parts

  /// How many parts there are; nil: without end.
  func partCount(_ phase: Assignment.Phase) -> Int? {
    if options.strategy != .exhaustive { return nil }
    return phase.isWhole ? 1 : plan(phase).count
  }

  /// Whether one run stands for all interleavings of its trace.
  private func reduces(_ phase: Assignment.Phase) -> Bool { options.reduces && !phase.isInCircles }

  private func plan(_ phase: Assignment.Phase) -> [Beginning] {
    if phase.isWhole { return [Beginning()] }
    if let known = plans[phase] { return known }
    let parts = Plan.parts(of: run, reduces: reduces(phase), maximumPreemptions: phase.maximumPreemptions)
    plans[phase] = parts
    return parts
  }

  /// How far an exploration is that was begun as a whole, as one in parts; nil: it has to begin anew.
  ///
  /// The parts, one after the other, have all interleavings in the order in which they are taken without parts. So what was
  /// taken are the first parts, and the beginning of the next one. (A reduction goes through parts in another way than
  /// through the whole.)
  func divide(_ known: ExploreProgress) -> ExploreProgress? {
    // Of what is kept of some runs only (orders, runs that were broken off), each part keeps its own.
    guard options.strategy == .exhaustive, !reduces(known.phase), options.keptOrders == 0, known.share.brokenOff == 0,
      let state = known.left[0], let moves = state["moves"]?.integers.flatMap({ RunMove.list($0) }),
      let places = state["places"]?.integers
    else { return nil }
    var divided = ExploreProgress(known.phase.inParts)
    let parts = plan(divided.phase)
    guard let part = parts.firstIndex(where: { moves.starts(with: $0.moves) }) else { return nil }
    for done in 0..<part { divided.finish(done) }
    divided.left[part] = .object([
      .init("moves", .integers(moves.flatMap { [Int($0.actor), Int($0.alternative)] })),
      .init("places", .integers(Array(places.dropFirst(parts[part].moves.count)))),
    ])
    divided.share = known.share
    divided.seconds = known.seconds
    return divided
  }

  /// Explores a part to its end, or until it is to be left.
  public func explore(_ assignment: Assignment) -> PartResult {
    run.watch.start = assignment.phase.isInCircles ? .atOnce : .late
    let kinds: [RandomSearch<ScriptRun>.Kind]
    switch options.strategy {
    case .exhaustive:
      let parts = plan(assignment.phase)
      guard parts.indices.contains(assignment.part) else {
        return PartResult(share: Share(), end: .badState, message: "there is no part \(assignment.part)")
      }
      let beginning = parts[assignment.part]
      let bound = assignment.phase.maximumPreemptions
      if reduces(assignment.phase) {
        return explore(OptimalReduction(run, from: beginning, maximumPreemptions: bound), assignment)
      }
      return explore(Enumeration(run, from: beginning, maximumPreemptions: bound ?? .max), assignment)
    case .random: kinds = [.walk]
    case .pct: kinds = [.priorities(depth: options.depth)]
    case .surw: kinds = [.uniform]
    case .portfolio: kinds = [.walk, .priorities(depth: options.depth), .uniform]
    }
    return explore(RandomSearch(run, kinds, seed: options.seed, block: assignment.part), assignment)
  }

  private func explore(_ search: consuming some Search & ~Copyable, _ assignment: Assignment) -> PartResult {
    var options = options
    options.maximumPreemptions = assignment.phase.maximumPreemptions
    options.reduces = reduces(assignment.phase)
    run.watch.hasSeenOne = false
    run.dependedOnMore = false
    var recorder = Recorder(run, script, options)
    var result = PartResult(share: Share(), end: .exhausted)
    if let state = assignment.state, !search.restore(state) {
      result.end = .badState
      result.message = "the exploration cannot go on where it was left"
      return result
    }
    var end = take(&search, assignment, &recorder)
    // Before anything was taken, it stands where it was.
    if end != .exhausted { result.state = assignment.maximumSchedules == 0 ? assignment.state : search.state }
    if end == .limit, isOver(&search, &recorder) {
      end = .exhausted
      result.state = nil
    }
    result.end = end
    if end == .syntaxError { result.message = run.record.outcome?.message ?? "the script does not compile" }
    if end == .circles, run.dependedOnMore { result.message = Self.dependsOnMore }
    result.share = recorder.takeShare()
    if search.leftSomethingOut { result.share.leftSomethingOut = true }
    return result
  }

  private func take(
    _ search: inout some Search & ~Copyable, _ assignment: Assignment, _ recorder: inout Recorder
  ) -> PartResult.End {
    var taken = 0
    let cutsReturns = run.watch.cutsReturns && !assignment.phase.isInCircles
    let isExhaustive = options.strategy == .exhaustive
    while true {
      if let most = assignment.maximumSchedules, recorder.share.schedules >= most { return .limit }
      if let most = assignment.maximumRuns, taken >= most { return .limit }
      // One run at least, so that a part always gets on.
      if taken > 0, mustStop(assignment) { return .stopped }
      taken += 1
      if taken & 63 == 0 { progress?(recorder.share.schedules, recorder.share.findings.count) }
      let advance = search.nextRun()
      if cutsReturns, run.watch.hasSeenOne { return .circles }
      if run.dependedOnMore, options.strategy == .exhaustive, reduces(assignment.phase) { return .circles }
      switch advance {
      case .over: return .exhausted
      case .redundant: recorder.countRedundant(leavesSomethingOut: false)
      case .beyondBound: recorder.countRedundant(leavesSomethingOut: true)
      case .run:
        if run.record.outcome?.kind == .syntaxError { return .syntaxError }
        search.withEnd { recorder.record($0, $1) }
        if options.stopsAtFirst, !recorder.share.findings.isEmpty { return .finding }
        if isExhaustive, recorder.share.brokenOff >= Self.maximumBrokenOff { return .endless }
      }
    }
  }

  /// Whether no run is left that would count, after as many as were asked for.
  private func isOver(_ search: inout some Search & ~Copyable, _ recorder: inout Recorder) -> Bool {
    guard options.strategy == .exhaustive else { return false }
    var inVain: [Bool] = []
    while inVain.count < Self.patience {
      switch search.nextRun() {
      case .run: return false
      case .redundant: inVain.append(false)
      case .beyondBound: inVain.append(true)
      case .over:
        for leavesSomethingOut in inVain { recorder.countRedundant(leavesSomethingOut: leavesSomethingOut) }
        return true
      }
    }
    return false
  }

  private func mustStop(_ assignment: Assignment) -> Bool {
    if let shouldStop = options.shouldStop, shouldStop() { return true }
    guard let deadline = assignment.deadline else { return false }
    return now() > deadline
  }
}
