import RunLoopEngine
import RunLoopScript
import RunLoopTrace

/// Explores a script: takes runs as a strategy has them, and keeps what is found.
public final class Explorer {
  private let options: ExploreOptions
  private let script: ScriptOptions
  private let run: ScriptRun
  private var report = ExploreReport()
  private var analyzer = TraceAnalyzer()
  private var findings: [Observation: Int] = [:]
  private var traces: Set<TraceHash> = []
  private var orders: Set<UInt64> = []
  private var byPreemptions: [Int: Int] = [:]
  private var lockOrder = LockOrder()
  private var wakers = Wakers()
  private let digest: UInt32
  private var outcomes: Set<[Observation]> = []
  private var hadChoice = false
  private let now: () -> Double
  private var start = 0.0
  /// Sets of traces and orders are not let grow beyond this.
  private let maximumSetSize = 4_000_000
  /// So many runs that were not the same twice are told one by one.
  private let maximumNotes = 3
  /// So often such a run is taken again for the sake of its first difference.
  private let maximumTries = 32
  /// When so many runs have not come to an end, the search has none either.
  private let maximumBrokenOff = 64
  /// Who wakes loops is learned from so many runs.
  private let maximumLessons = 256
  /// Told now and then how far it is.
  public var progress: ((_ schedules: Int, _ findings: Int) -> Void)?

  /// - Parameter now: a clock in seconds that only goes forward.
  public init(_ script: ScriptOptions, _ options: ExploreOptions, now: @escaping () -> Double) {
    self.script = script
    self.options = options
    self.now = now
    digest = Schedule.digest(of: script)
    run = ScriptRun(script, options.settings)
    run.maximumSteps = options.maximumSteps
  }

  /// Explores until everything was seen or a bound is reached.
  public func explore() -> ExploreReport {
    start = now()
    report.strategy = options.strategy.rawValue
    reduces = options.reduces
    if reduces, options.strategy == .exhaustive || options.maximumPreemptions != nil,
      let found = PlainVariables.find(in: script.source, file: script.chunkName, module: options.module)
    {
      reduces = false
      let what = found.isContents ? "the table in the plain Lua variable" : "the plain Lua variable"
      report.whyNotReduced =
        "\(what) '\(found.name)' may be shared by threads (written at \(found.written), used at \(found.used)), so every "
        + "interleaving is taken; rl.shared would make it visible"
      if options.mustReduce { return report }
    }
    if reduces, options.settings.timeIsFree, options.strategy == .exhaustive {
      // What the clock's step does depends on all that is due: not every pair of steps that touch no object in common
      // may be swapped then.
      reduces = false
      report.whyNotReduced = "with --time free every interleaving is taken"
      if options.mustReduce { return report }
    }
    switch options.strategy {
    case .exhaustive:
      run.watch.cutsReturns = true
      exploreAll()
      if run.watch.hasSeenOne, report.syntaxError == nil, !report.wasInterrupted {
        startOver()
        if options.mustReduce { return report }
        exploreAll()
      }
    case .random: explore(RandomSearch(run, [.walk], seed: options.seed))
    case .pct: explore(RandomSearch(run, [.priorities(depth: options.depth)], seed: options.seed))
    case .surw: explore(RandomSearch(run, [.uniform], seed: options.seed))
    case .portfolio:
      explore(RandomSearch(run, [.walk, .priorities(depth: options.depth), .uniform], seed: options.seed))
    }
    if report.syntaxError == nil { conclude() }
    report.seconds = now() - start
    return report
  }

  private func exploreAll() {
    if let bound = options.maximumPreemptions {
      if reduces { exploreByPreemptions(bound) } else { exploreAll(atMost: bound) }
    } else if reduces {
      explore(OptimalReduction(run))
    } else {
      explore(Enumeration(run))
    }
  }

  /// Begins again, now that a state was seen to come back: every interleaving is taken, and left where a state comes back.
  /// (A reduction learns from how runs end what other orders there are; these have no end.)
  private func startOver() {
    if reduces, report.whyNotReduced == nil {
      report.whyNotReduced = "threads go round in circles, so every interleaving is taken, each way round once"
    }
    reduces = false
    run.watch.start = .atOnce
    let notes = (report.whyNotReduced, report.strategy)
    report = ExploreReport()
    (report.whyNotReduced, report.strategy) = notes
    findings = [:]
    traces = []
    orders = []
    byPreemptions = [:]
    outcomes = []
    countsOnce = false
  }

  /// Goes through all interleavings with no preemption, then with one, and so on: a trace that was seen does not count
  /// again, so each is found with the fewest.
  private func exploreByPreemptions(_ bound: Int) {
    for most in 0...bound {
      var search = Enumeration(run, maximumPreemptions: most, mergesTraces: true)
      countsOnce = true
      guard exploreAll(&search) else { return }
      if !search.leftSomethingOut { return finishSearch() }
    }
    leaveOut(bound)
  }

  /// Goes through every interleaving with so many preemptions at most.
  private func exploreAll(atMost bound: Int) {
    var search = Enumeration(run, maximumPreemptions: bound)
    if exploreAll(&search), search.leftSomethingOut { leaveOut(bound) }
  }

  private func leaveOut(_ bound: Int) {
    guard report.isExhausted else { return }
    report.isExhausted = false
    report.reason = "only interleavings with at most \(bound) preemptions were asked for"
  }

  /// Whether one run stands for all interleavings of its trace.
  private var reduces = true

  /// Whether a trace that was seen before is passed over.
  private var countsOnce = false

  private func explore(_ search: consuming some Search & ~Copyable) {
    _ = exploreAll(&search)
    finishSearch()
  }

  /// Takes all runs of a search; false when a bound was reached first.
  private func exploreAll(_ search: inout some Search & ~Copyable) -> Bool {
    while true {
      if let reason = bound() {
        report.reason = reason
        report.isExhausted = false
        return false
      }
      guard search.nextRun() else {
        report.isExhausted = report.brokenOff == 0
        return true
      }
      if run.record.outcome?.kind == .syntaxError {
        report.syntaxError = run.record.outcome?.message ?? "the script does not compile"
        return false
      }
      if run.watch.hasSeenOne, run.watch.start == .late, run.watch.cutsReturns { return false }
      if options.strategy == .exhaustive, report.brokenOff >= maximumBrokenOff {
        report.reason = brokenOffText
        return false
      }
      let end = search.end
      search.withTrail { note($0, end) }
      if options.stopsAtFirst, !report.findings.isEmpty {
        report.reason = "it ended with the first finding"
        return false
      }
    }
  }

  private func finishSearch() {
    if case .pct = options.strategy {
      var chance = 1 / Double(max(1, run.threadCount))
      for _ in 1..<max(1, options.depth) { chance /= Double(max(1, run.longest)) }
      report.guarantee = chance
    }
  }

  private func bound() -> String? {
    if let most = options.maximumSchedules, report.schedules + report.cameBack >= most {
      return "the \(most) schedules were run"
    }
    if report.schedules & 63 == 0 { progress?(report.schedules, report.findings.count) }
    if let most = options.maximumSeconds, now() - start > most { return "the \(most) seconds were over" }
    if let shouldStop = options.shouldStop, shouldStop() {
      report.wasInterrupted = true
      return "it was interrupted"
    }
    return nil
  }

  // MARK: One run

  private func note(_ trail: borrowing Trail, _ end: ChoicePoint) {
    if run.wasCut {
      report.cameBack += 1
      hadChoice = true
      return
    }
    if countsOnce, traces.contains(trail.traceHash) { return }
    report.schedules += 1
    if run.wasBrokenOff || run.reachedLimit { report.brokenOff += 1 }
    run.noteLength()
    if orders.count < maximumSetSize, orders.insert(run.record.order).inserted, orders.count <= options.keptOrders {
      report.orderExamples.append(Schedule(of: trail, options.settings, digest))
    }
    for event in trail.events where event.enabledCount > 1 || event.alternatives > 1 {
      report.choicePoints += 1
      hadChoice = true
    }
    let isNew = traces.count < maximumSetSize ? traces.insert(trail.traceHash).inserted : false
    var analysis: TraceAnalysis?
    if isNew {
      let new = analyzer.analyze(trail, end)
      analysis = new
      if reduces {
        report.interleavings += new.interleavings
        report.seenShare += new.chance
      }
      byPreemptions[new.preemptions, default: 0] += 1
    }
    if !reduces {
      // Runs of one trace may differ in what cannot be seen: each counts for itself.
      analysis = TraceAnalysis(ofRun: trail)
      report.interleavings += 1
      report.seenShare += analysis?.chance ?? 0
    }
    let observations = run.observations() + RaceDetector.races(trail, run)
    if run.taken.contains(where: \.isLock) { lockOrder.learn(run) }
    if report.schedules <= maximumLessons { wakers.learn(run) }
    outcomes.insert(observations.sorted { ($0.kind, $0.details.joined()) < ($1.kind, $1.details.joined()) })
    for observation in observations { note(observation, trail, end, analysis) }
    if options.checksDeterminism { checkDeterminism(trail) }
  }

  private func note(
    _ observation: Observation, _ trail: borrowing Trail, _ end: ChoicePoint, _ analysis: TraceAnalysis?
  ) {
    let index: Int
    if let known = findings[observation] {
      index = known
    } else {
      index = report.findings.count
      findings[observation] = index
      report.findings.append(Finding(kind: observation.kind, details: observation.details))
    }
    report.findings[index].runs += 1
    guard let analysis else { return }
    report.findings[index].interleavings += analysis.interleavings
    report.findings[index].chance += analysis.chance
    let cost = Finding.Cost(preemptions: analysis.preemptions, length: trail.count)
    if cost < report.findings[index].cost {
      report.findings[index].cost = cost
      report.findings[index].preemptions = analysis.preemptions
      report.findings[index].moves = analysis.shortest.map {
        RunMove(actor: trail.events[Int($0)].actor, alternative: trail.events[Int($0)].alternative)
      }
    }
  }

  /// Runs the same schedule again, from the start.
  private func checkDeterminism(_ trail: borrowing Trail) {
    let moves = (0..<trail.count).map {
      RunMove(actor: trail.events[$0].actor, alternative: trail.events[$0].alternative)
    }
    let other = ScriptRun(script, options.settings)
    other.maximumSteps = options.maximumSteps
    let replayed = Shortest.replay(moves, other)
    guard replayed == nil || other.record.order != run.record.order else { return }
    report.unequalRuns += 1
    guard report.unequalRuns <= maximumNotes else { return }
    report.notes.append(
      "schedule \(report.schedules) did not come out the same when it was run again: " + firstDifference(moves))
  }

  /// Where the traces of more runs by the same steps part.
  private func firstDifference(_ moves: [RunMove]) -> String {
    let first = lines(moves)
    for _ in 0..<maximumTries {
      let other = lines(moves)
      let places = 0..<max(first.count, other.count)
      guard let place = places.first(where: { $0 >= first.count || $0 >= other.count || first[$0] != other[$0] }) else {
        continue
      }
      let (a, b) = (place < first.count ? first[place] : "the end", place < other.count ? other[place] : "the end")
      return "in two more runs line \(place + 1) of the trace is '\(a)', then '\(b)'"
    }
    return "\(maximumTries) more runs are all the same"
  }

  private func lines(_ moves: [RunMove]) -> [Substring] {
    let text = TextCollector()
    let run = ScriptRun(script, options.settings)
    run.maximumSteps = options.maximumSteps
    run.observer = { _ = text.consume($0) }
    _ = Shortest.replay(moves, run)
    return String(decoding: text.bytes, as: UTF8.self).split(separator: "\n")
  }

  // MARK: The end

  private func conclude() {
    for circle in lockOrder.circles() {
      guard !report.findings.contains(where: { $0.kind == "deadlock" }) else { break }
      var finding = Finding(kind: circle.kind, details: circle.details)
      finding.runs = report.schedules
      report.findings.append(finding)
    }
    report.traces = traces.count
    report.orders = orders.count
    var sum = 0
    for count in 0...(byPreemptions.keys.max() ?? 0) {
      sum += byPreemptions[count, default: 0]
      report.cumulative.append(sum)
    }
    for index in report.findings.indices where report.findings[index].cost.length < .max {
      Shortest.complete(
        &report.findings[index], ScriptRun(script, options.settings), options, digest, wakers, watching: run.watch.start
      )
    }
    report.findings.sort { ($0.cost, $0.kind, $0.details.joined()) < ($1.cost, $1.kind, $1.details.joined()) }
    if !report.findings.isEmpty {
      report.verdict = .fails
    } else if !hadChoice, report.reason.isEmpty {
      report.reason = "nothing to explore: no two threads ever had a choice"
    } else if report.brokenOff > 0 {
      if report.reason.isEmpty { report.reason = brokenOffText }
    } else if report.isExhausted {
      report.verdict = .holds
    }
  }

  private var brokenOffText: String {
    let runs = report.brokenOff == 1 ? "1 run" : "\(report.brokenOff) runs"
    if let message = run.limitMessage { return "\(runs) reached a limit: \(message)" }
    return "\(runs) \(report.brokenOff == 1 ? "was" : "were") broken off after \(options.maximumSteps) steps "
      + "(--max-steps); some schedules may never end"
  }

  // MARK: Two explorations

  /// Whether two explorations of a script have seen the same traces and found the same in them.
  public func foundTheSame(as other: Explorer) -> Bool { outcomes == other.outcomes && traces == other.traces }

  /// What two explorations do not have in common, in words.
  public func difference(from other: Explorer) -> String {
    "\(traces.subtracting(other.traces).count) and \(other.traces.subtracting(traces).count) traces, "
      + "\(outcomes.subtracting(other.outcomes).count) and \(other.outcomes.subtracting(outcomes).count) outcomes "
      + "are only in one of the two"
  }
}

extension ScriptRun.Taken {
  /// Whether the step may take a lock.
  var isLock: Bool {
    switch operation {
    case .lock, .lockBefore, .lockWhen, .writeLock, .synchronized: true
    default: false
    }
  }
}
