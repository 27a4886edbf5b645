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
  private let isExhaustive: Bool

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
    defer { share = Share() }
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
    var analysis: TraceAnalysis?
    if isOneForEachTrace {
      let new = analyzer.analyze(trail, end)
      if let most = options.maximumPreemptions, new.preemptions > most, new.isExact {
        return countRedundant(leavesSomethingOut: true)
      }
      analysis = new
      share.traceCount += 1
      share.countTrace(preemptions: new.preemptions)
      share.interleavings.add(new.interleavings)
      share.chance.add(new.chance)
      if options.keepsTraces { keep(trail.traceHash, new) }
    } else {
      if share.traces[trail.traceHash] == nil, share.traces.count < Share.maximumSetSize {
        keep(trail.traceHash, analyzer.analyze(trail, end))
      }
      // Runs of one trace may differ in what cannot be seen: each counts for itself.
      let own = TraceAnalysis(ofRun: trail)
      analysis = own
      if isExhaustive {
        share.interleavings.add(1)
        share.chance.add(own.chance)
      }
    }
    countRun(trail)
    var observations = run.observations()
    observations += RaceDetector.races(trail, run)
    if run.taken.contains(where: \.isLock) { share.lockOrder.learn(run) }
    if share.outcomes.count < Share.maximumSetSize { share.outcomes.insert(observations.sorted()) }
    if options.keepsTraces, share.behaviours.count < Share.maximumSetSize { share.behaviours.insert(run.behaviour) }
    // Of what was met by chance, the best interleaving of the same trace is told, where that comes to the same.
    if !isExhaustive, options.reduces, !observations.isEmpty { analysis = analyzer.analyze(trail, end) }
    for observation in observations { note(observation, trail, analysis) }
    if options.checksDeterminism { checkDeterminism(trail) }
  }

  private mutating func keep(_ trace: TraceHash, _ analysis: TraceAnalysis) {
    guard share.traces.count < Share.maximumSetSize else { return }
    share.traces[trace] = Share.TraceFigures(
      preemptions: analysis.preemptions, interleavings: analysis.interleavings, chance: analysis.chance)
  }

  private mutating func countRun(_ trail: borrowing Trail) {
    share.schedules += 1
    if run.wasBrokenOff || run.reachedLimit { share.brokenOff += 1 }
    if run.reachedLimit { share.note(limit: run.record.outcome?.message ?? "a limit") }
    share.longest = max(share.longest, run.record.depth)
    share.threadCount = max(share.threadCount, trail.actorCount - 1)
    if share.orders.count < Share.maximumSetSize, share.orders.insert(run.record.order).inserted,
      share.orders.count <= options.keptOrders
    {
      share.orderExamples[run.record.order] = Schedule.symbols(of: trail)
    }
    for index in trail.events.indices where trail.events[index].enabledCount > 1 || trail.events[index].alternatives > 1
    {
      share.choicePoints += 1
    }
    share.hadChoice = share.hadChoice || share.choicePoints > 0
  }

  private mutating func note(_ observation: Observation, _ trail: borrowing Trail, _ analysis: TraceAnalysis?) {
    var shown = share.findings[observation, default: Share.Shown()]
    shown.runs += 1
    if let analysis {
      if isExhaustive {
        shown.interleavings.add(analysis.interleavings)
        shown.chance.add(analysis.chance)
      }
      let cost = Finding.Cost(preemptions: analysis.preemptions, choices: analysis.choices, length: trail.count)
      if cost <= shown.cost {
        let moves =
          analysis.shortest.isEmpty
          ? (0..<trail.count).map { trail.runMove($0) } : analysis.shortest.map { trail.runMove(Int($0)) }
        shown.consider(cost) { moves }
      }
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

extension ScriptRun.Taken {
  /// Whether the step may take a lock.
  var isLock: Bool {
    switch operation {
    case .lock, .lockBefore, .lockWhen, .writeLock, .synchronized: true
    default: false
    }
  }
}
