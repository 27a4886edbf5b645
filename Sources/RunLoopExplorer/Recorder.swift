import RunLoopEngine
import RunLoopScript
import RunLoopTrace

/// Looks at each run that a search has taken, and keeps what it shows.
struct Recorder: ~Copyable {
  /// What the runs since `takeShare()` have shown.
  private(set) var share = Share()
  private let script: ScriptOptions
  private let options: ExploreOptions
  private let run: ScriptRun
  private var analyzer = TraceAnalyzer()
  private var races = RaceDetector()
  private let isExhaustive: Bool
  /// Whether the share knows the last run, so that only the steps that are not of it can tell something new of locks.
  private var knowsLocks = false
  /// Whether a run without anything wrong is among the outcomes: most are, and none of them is news but the first.
  private var hasSeenNothing = false

  /// - Parameter options: with `reduces` as it is decided for this script.
  init(_ run: ScriptRun, _ script: ScriptOptions, _ options: ExploreOptions) {
    self.run = run
    self.script = script
    self.options = options
    isExhaustive = options.strategy == .exhaustive
    if options.maximumPreemptions != nil { analyzer.maximumCuts = TraceAnalyzer.cutsUnderBound }
  }

  /// Gives what was seen, and begins anew.
  mutating func takeShare() -> Share {
    defer {
      share = Share()
      hasSeenNothing = false
      knowsLocks = false
    }
    return share
  }

  /// Whether one run stands for all interleavings of its trace, and is taken once.
  private var isOneForEachTrace: Bool { options.reduces && isExhaustive }

  mutating func countRedundant(leavesSomethingOut: Bool) {
    share.redundant += 1
    if leavesSomethingOut { share.leftSomethingOut = true }
  }

  /// A run has ended.
  mutating func record(_ trail: borrowing Trail, _ end: ChoicePoint) {
    if run.wasCut {
      share.cameBack += 1
      share.hadChoice = true
      return
    }
    var analysis: TraceAnalysis
    // Whether the analyzer knows the shortest interleaving of the trace.
    var isAnalyzed = false
    if isOneForEachTrace {
      isAnalyzed = !run.isOnlyInterleaving(of: trail)
      analysis = isAnalyzed ? analyzer.analyze(trail, end) : TraceAnalysis(ofRun: trail)
      if let most = options.maximumPreemptions, analysis.preemptions > most, analysis.isExact {
        return countRedundant(leavesSomethingOut: true)
      }
      share.traceCount += 1
      share.countTrace(preemptions: analysis.preemptions)
      share.interleavings.add(analysis.interleavings)
      share.chance.add(analysis.chance)
      if options.keepsTraces { share.traces.insert(trail.traceHash, Share.TraceFigures(analysis)) }
    } else {
      // Runs of one trace may differ in what cannot be seen: each counts for itself.
      analysis = TraceAnalysis(ofRun: trail)
      if share.traces.lacks(trail.traceHash) {
        let figures = run.isOnlyInterleaving(of: trail) ? analysis : analyzer.analyze(trail, end)
        share.traces.add(trail.traceHash, Share.TraceFigures(figures))
      }
      if isExhaustive {
        share.interleavings.add(1)
        share.chance.add(analysis.chance)
      }
    }
    countRun(trail)
    if run.record.tookLock { share.lockOrder.learn(run, from: knowsLocks ? run.sameSteps : 0) }
    knowsLocks = true
    run.sawAll()
    var observations = run.observations()
    let races = run.record.touchedShared ? self.races.races(trail, run) : []
    for race in races where !observations.contains(race.observation) { observations.append(race.observation) }
    if observations.isEmpty {
      if !hasSeenNothing { share.outcomes.insert([]) }
      hasSeenNothing = true
    } else {
      share.outcomes.insert(observations.sorted())
      // Of what was met by chance, the best interleaving of the same trace is told, where that comes to the same.
      if !isExhaustive, options.reduces {
        analysis = analyzer.analyze(trail, end)
        isAnalyzed = true
      }
      for observation in observations { note(observation, trail, analysis, isAnalyzed) }
      share.note(races: races)
      share.note(hangsAmong: observations)
      share.boundFindings()
    }
    if options.keepsTraces { share.behaviours.insert(OrderNumber(number: run.behaviour), NoValue()) }
    if options.checksDeterminism { checkDeterminism(trail) }
  }

  private mutating func countRun(_ trail: borrowing Trail) {
    share.schedules += 1
    if run.wasBrokenOff || run.reachedLimit { share.brokenOff += 1 }
    if run.reachedLimit { share.note(limit: run.record.outcome?.message ?? "a limit") }
    share.longest = max(share.longest, run.record.depth)
    share.threadCount = max(share.threadCount, trail.actorCount - 1)
    if share.orders.insert(OrderNumber(number: run.record.order), NoValue()), share.orders.count <= options.keptOrders {
      share.orderExamples[run.record.order] = Schedule.symbols(of: trail)
    }
    share.choicePoints += Int(trail.totals.choicePoints)
    share.hadChoice = share.hadChoice || share.choicePoints > 0
  }

  /// - Parameter isAnalyzed: whether the analyzer knows the shortest interleaving of the trace.
  private mutating func note(
    _ observation: Observation, _ trail: borrowing Trail, _ analysis: TraceAnalysis, _ isAnalyzed: Bool
  ) {
    var shown = share.findings[observation, default: Share.Shown()]
    shown.runs += 1
    if isExhaustive {
      shown.interleavings.add(analysis.interleavings)
      shown.chance.add(analysis.chance)
    }
    let cost = Finding.Cost(preemptions: analysis.preemptions, choices: analysis.choices, length: trail.count)
    if cost <= shown.cost {
      let order = isAnalyzed ? analyzer.shortest() : []
      let moves =
        order.isEmpty ? (0..<trail.count).map { trail.runMove($0) } : order.map { trail.runMove(Int($0)) }
      shown.consider(cost) { moves }
    }
    share.findings[observation] = shown
  }

  // MARK: The same run twice

  /// So many runs that were not the same twice are told one by one.
  static let maximumNotes = 3
  /// So often such a run is taken again for the sake of its first difference.
  private static let maximumTries = 32

  /// Runs the same schedule again, from the start.
  private mutating func checkDeterminism(_ trail: borrowing Trail) {
    let moves = (0..<trail.count).map { trail.runMove($0) }
    let other = ScriptRun(script, options.settings)
    other.maximumSteps = options.maximumSteps
    let replayed = Shortest.replay(moves, other)
    guard replayed == nil || other.record.order != run.record.order else { return }
    share.unequalRuns += 1
    guard share.notes.count < Self.maximumNotes else { return }
    share.notes.append("a schedule did not come out the same when it was run again: " + firstDifference(moves))
  }

  /// Where the traces of more runs by the same steps part.
  private func firstDifference(_ moves: [RunMove]) -> String {
    let first = lines(moves)
    for _ in 0..<Self.maximumTries {
      let other = lines(moves)
      let places = 0..<max(first.count, other.count)
      guard let place = places.first(where: { $0 >= first.count || $0 >= other.count || first[$0] != other[$0] }) else {
        continue
      }
      let (a, b) = (place < first.count ? first[place] : "the end", place < other.count ? other[place] : "the end")
      return "in two more runs line \(place + 1) of the trace is '\(a)', then '\(b)'"
    }
    return "\(Self.maximumTries) more runs are all the same"
  }

  private func lines(_ moves: [RunMove]) -> [Substring] {
    let text = TextCollector()
    let run = ScriptRun(script, options.settings)
    run.maximumSteps = options.maximumSteps
    run.observer = { _ = text.consume($0) }
    _ = Shortest.replay(moves, run)
    return String(decoding: text.bytes, as: UTF8.self).split(separator: "\n")
  }
}

extension Trail {
  /// Who took a step, and which way it went.
  func runMove(_ event: Int) -> RunMove { RunMove(actor: events[event].actor, alternative: events[event].alternative) }
}

extension Share.TraceFigures {
  init(_ analysis: TraceAnalysis) {
    self.init(preemptions: analysis.preemptions, interleavings: analysis.interleavings, chance: analysis.chance)
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
