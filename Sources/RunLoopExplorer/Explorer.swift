import RunLoopEngine
import RunLoopScript

/// Explores a script: takes runs as a strategy has them, and keeps what is found.
public final class Explorer {
  private(set) var options: ExploreOptions
  let script: ScriptOptions
  private let now: () -> Double
  private(set) var report = ExploreReport()
  /// What the report is made of.
  private(set) var share = Share()
  private var start = 0.0
  /// Told now and then how far it is.
  public var progress: ((_ schedules: Int, _ findings: Int) -> Void)?
  /// Makes those who explore parts; nil: this process does. Asked once, when there is enough to do.
  public var makeCrew: ((ExploreOptions) -> any Crew)?
  /// An exploration to go on with.
  public var resumed: SavedExploration?
  /// Is given what is known every few seconds and at the end, to go on from there.
  public var save: ((SavedExploration) -> Void)?
  /// Seconds between two of these.
  public var secondsBetweenSaves = 10.0

  private(set) var known = ExploreProgress(Assignment.Phase(isWhole: true, maximumPreemptions: nil))

  /// So many runs are taken before the exploration is cut into parts: what is smaller is not worth it.
  private static let runsOfSmall = 1_000

  /// - Parameter now: a clock in seconds that only goes forward; the same for all processes.
  public init(_ script: ScriptOptions, _ options: ExploreOptions, now: @escaping () -> Double) {
    self.script = script
    self.options = options
    self.now = now
  }

  /// Explores until everything was seen or a bound is reached.
  public func explore() -> ExploreReport {
    start = now()
    report.strategy = options.strategy.rawValue
    report.shard = options.shard
    report.whyNotReduced = Self.settle(&options, script)
    if report.whyNotReduced != nil, options.mustReduce { return report }
    local = PartExplorer(script, options, now: now)
    local?.progress = { [weak self] schedules, findings in
      guard let self else { return }
      self.progress?(self.known.share.schedules + schedules, self.known.share.findings.count + findings)
    }
    if let resumed { known = resumed.progress }
    if known.phase.isInCircles { goInCircles(known.whyNotReduced) }
    if report.whyNotReduced != nil, options.mustReduce { return report }
    secondsBefore = known.seconds
    let end = known.isExhausted ? .exhausted : goThrough()
    known.seconds = seconds
    settle(end)
    if report.syntaxError == nil { conclude() }
    report.seconds = seconds
    report.isComplete = known.isExhausted || end == .finding
    known.whyNotReduced = whyInCircles
    if report.syntaxError == nil, !report.cannotResume { save?(SavedExploration(known)) }
    return report
  }

  /// Decides whether the reduction is sound for a script.
  ///
  /// - Returns: why every interleaving is taken, in a sentence; nil when that was asked for, or is not so.
  public static func settle(_ options: inout ExploreOptions, _ script: ScriptOptions) -> String? {
    guard options.reduces else { return nil }
    let variables = PlainVariables(of: script.source, file: script.chunkName, module: options.module)
    if let why = variables.whyUnknown {
      options.reduces = false
      return options.strategy == .exhaustive ? "\(why), so every interleaving is taken" : nil
    }
    let shared = variables.find()
    if !shared.isEmpty {
      options.reduces = false
      guard options.strategy == .exhaustive else { return nil }
      return PlainVariables.sentence(of: shared)
    }
    if let what = HiddenState.find(in: variables.texts) ?? HandedTables(variables).find()
      ?? SharedIterators(variables).find()
    {
      options.reduces = false
      guard options.strategy == .exhaustive else { return nil }
      return "\(what), so every interleaving is taken"
    }
    return nil
  }

  // MARK: Phases

  private var local: PartExplorer?
  private var crew: (any Crew)?
  private var schedulesBefore = 0
  private var secondsBefore = 0.0
  private var lastSave = 0.0

  private var seconds: Double { secondsBefore + now() - start }

  /// Takes the phases one after the other.
  ///
  /// With `stopsAtFirst`, interleavings without preemptions come first, then those with one, and so on: so the first that
  /// shows something needs no more than any other. Without it all of them are taken, whatever the order.
  private func goThrough() -> PhaseRun.End {
    let levels = options.strategy == .exhaustive && options.stopsAtFirst
    if resumed == nil { known = ExploreProgress(firstPhase(levels ? 0 : options.maximumPreemptions)) }
    schedulesBefore = known.share.schedules
    lastSave = now()
    while true {
      let end = go()
      if case .limit = end, known.phase.isWhole, !isAtLimit {
        // It is large: in parts, and from the beginning where the runs that were taken are of no use for that.
        if let rest = options.shard == nil ? local?.divide(known) : nil {
          known = rest
        } else {
          schedulesBefore = 0
          known = ExploreProgress(known.phase.inParts)
        }
        continue
      }
      if case .circles(let why) = end {
        goInCircles(why)
        if options.mustReduce { return .stopped }
        schedulesBefore = 0
        known = ExploreProgress(firstPhase(known.phase.maximumPreemptions))
        continue
      }
      guard end == .exhausted, levels, known.share.findings.isEmpty, known.share.leftSomethingOut,
        let bound = known.phase.maximumPreemptions, bound < options.maximumPreemptions ?? .max
      else { return end }
      schedulesBefore -= known.share.schedules
      known = ExploreProgress(firstPhase(bound + 1))
    }
  }

  private func firstPhase(_ bound: Int?) -> Assignment.Phase {
    Assignment.Phase(
      isWhole: options.strategy == .exhaustive, maximumPreemptions: bound, isInCircles: isInCircles)
  }

  /// Whether a state was seen to come back.
  private var isInCircles = false
  /// Why it goes on as if one had, when none has.
  private var whyInCircles: String?

  private func goInCircles(_ why: String?) {
    isInCircles = true
    whyInCircles = why
    if options.reduces {
      report.whyNotReduced =
        why ?? "threads go round in circles, so every interleaving is taken, each way round once"
    }
    options.reduces = false
  }

  private var remaining: Int? {
    options.maximumSchedules.map { max(0, $0 - (known.share.schedules - schedulesBefore)) }
  }

  private var isAtLimit: Bool { remaining.map { $0 <= 0 } ?? false }

  /// Goes through one phase, or through the rest of it.
  private func go() -> PhaseRun.End {
    guard let local else { return .stopped }
    let phase = known.phase
    if !phase.isWhole, crew == nil { crew = makeCrew?(options) }
    let isLocal = phase.isWhole || crew == nil
    var run = PhaseRun(
      known, isLocal ? local : crew ?? local, partCount: local.partCount(phase),
      shard: phase.isWhole ? nil : options.shard,
      stopsAtFirst: options.stopsAtFirst)
    run.maximumSchedules = remaining
    if phase.isWhole {
      let taken = known.share.schedules + known.share.redundant + known.share.cameBack
      run.maximumRuns = max(1, Self.runsOfSmall - taken)
    }
    run.deadline = options.maximumSeconds.map { start + $0 }
    run.now = now
    run.shouldStop = { [options] in options.shouldStop?() ?? false }
    if !isLocal { run.tell = progress }
    if save != nil {
      run.slice = secondsBetweenSaves
      run.checkpoint = { [weak self] in self?.saveNowAndThen($0) }
    }
    let end = run.go()
    known = run.progress
    return end
  }

  private func saveNowAndThen(_ progress: ExploreProgress) {
    guard now() - lastSave >= secondsBetweenSaves else { return }
    lastSave = now()
    var progress = progress
    progress.seconds = seconds
    progress.whyNotReduced = whyInCircles
    save?(SavedExploration(progress))
  }

  // MARK: The end

  private func settle(_ end: PhaseRun.End) {
    switch end {
    case .exhausted:
      report.isExhausted = true
    case .limit: report.reason = "the \(options.maximumSchedules ?? 0) schedules were run"
    case .finding: report.reason = "it ended with the first finding"
    case .circles, .endless: break
    case .stopped:
      if options.shouldStop?() ?? false {
        report.wasInterrupted = true
        report.reason = "it was interrupted"
      } else {
        report.reason = "the \(options.maximumSeconds ?? 0) seconds were over"
      }
    case .lost(let why): report.reason = why
    case .failed(.syntaxError, let message): report.syntaxError = message
    case .failed(.badState, _) where resumed != nil: report.cannotResume = true
    case .failed(_, let message): report.notes.append(message)
    }
  }

  private func conclude() {
    share = known.share
    // What is small is in no parts: the first share has it.
    if known.phase.isWhole, let shard = options.shard, shard.index > 1 {
      share = Share()
      share.hadChoice = known.share.hadChoice
    }
    let isLeast = report.isExhausted || (options.strategy == .exhaustive && options.stopsAtFirst)
    report.take(share, options, isLeast: isLeast)
    let digest = Schedule.digest(of: script)
    report.orderExamples = share.orderExamples.sorted { $0.key < $1.key }.map {
      Schedule(symbols: $0.value, settings: options.settings, digest: digest)
    }
    let shown = report.findings.indices.filter { report.findings[$0].cost < .none }
    if !shown.isEmpty {
      let run = ScriptRun(script, options.settings)
      run.maximumSteps = options.maximumSteps
      run.watch.cutsReturns = true
      let wakers = Wakers(of: run, reduces: options.reduces)
      run.watch.cutsReturns = false
      let start: StateWatch.Start = isInCircles ? .atOnce : .late
      for index in shown { Shortest.complete(&report.findings[index], run, options, digest, wakers, watching: start) }
    }
    report.judge(share, options)
  }

  // MARK: Two explorations

  /// Whether two explorations of a script have seen the same traces, found the same in them, and seen each thread do the
  /// same.
  public func foundTheSame(as other: Explorer) -> Bool {
    known.share.outcomes == other.known.share.outcomes && missing(from: other) == 0 && other.missing(from: self) == 0
      && missingBehaviours(from: other) == 0 && other.missingBehaviours(from: self) == 0
  }

  private func missing(from other: Explorer) -> Int { known.share.traces.countMissing(in: other.known.share.traces) }
  private func missingBehaviours(from other: Explorer) -> Int {
    known.share.behaviours.countMissing(in: other.known.share.behaviours)
  }

  /// What two explorations do not have in common, in words.
  public func difference(from other: Explorer) -> String {
    let outcomes = known.share.outcomes
    let others = other.known.share.outcomes
    return "\(missing(from: other)) and \(other.missing(from: self)) traces, "
      + "\(missingBehaviours(from: other)) and \(other.missingBehaviours(from: self)) ways in which threads go on, "
      + "\(outcomes.subtracting(others).count) and \(others.subtracting(outcomes).count) outcomes "
      + "are only in one of the two"
  }
}

/// An exploration that was left, to go on with.
public struct SavedExploration: Sendable {
  let progress: ExploreProgress

  init(_ progress: ExploreProgress) { self.progress = progress }

  public var json: JSON { progress.json }

  /// Whether nothing is left to explore.
  public var isExhausted: Bool { progress.isExhausted }

  /// Takes what `json` gave; nil when it is something else.
  public init?(_ json: JSON) {
    guard let progress = ExploreProgress(json) else { return nil }
    self.progress = progress
  }
}
