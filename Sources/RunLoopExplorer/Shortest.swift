import RunLoopScript

/// The shortest schedule of a finding: replayed, written down, and searched for its critical step.
enum Shortest {
  /// Takes the same steps from the start; nil when one of them cannot be taken.
  ///
  /// - Parameter before: told each step before it is taken.
  /// - Returns: the symbols of a schedule that leads there.
  static func replay(
    _ moves: [RunMove], _ run: ScriptRun, before: (ScriptRun.Taken) -> Void = { _ in }
  ) -> [UInt32]? {
    var point = ChoicePoint()
    var step = StepRecord()
    var symbols: [UInt32] = []
    var last: Int32 = -1
    run.start()
    for move in moves {
      run.look(after: last, into: &point)
      guard let place = point.enabled.firstIndex(of: move.actor) else { return nil }
      symbols.append(UInt32(place) + UInt32(point.enabled.count) * UInt32(move.alternative))
      step.clear()
      before(run.nextStep(of: move.actor))
      run.take(move.actor, move.alternative, into: &step)
      last = move.actor
    }
    return symbols
  }

  /// Fills in a finding's schedule and critical step.
  ///
  /// - Parameter wakers: who wakes loops, as other runs showed.
  static func complete(
    _ finding: inout Finding, _ run: ScriptRun, _ options: ExploreOptions, _ digest: UInt32, _ wakers: Wakers
  ) {
    run.maximumSteps = options.maximumSteps
    var loops = LoopReport()
    guard let symbols = replay(finding.moves, run, before: { loops.note($0, run) }) else { return }
    finding.loops = loops.lines(run, wakers)
    finding.schedule = Schedule(symbols: symbols, settings: options.settings, digest: digest).text
    let decisions = run.taken.enumerated().map { index, step in
      NamedSchedule.Decision(
        thread: run.name(of: step.actor), operation: OperationText.describe(step.operation, run.session.simulation),
        alternative: UInt32(finding.moves[index].alternative))
    }
    finding.named = NamedSchedule(decisions: decisions, settings: options.settings).text
    let wanted = Observation(kind: finding.kind, details: finding.details)
    finding.wasReplayed = wanted.kind == "dataRace" || run.observations().contains(wanted)
    if wanted.kind != "dataRace" {
      let search = CriticalStep(wanted: wanted, moves: finding.moves, run: run, reduces: options.reduces)
      finding.criticalStep = search.find(decisions)
    }
  }
}

/// Looks for the last step of a run after which every continuation shows what the run shows.
private struct CriticalStep {
  let wanted: Observation
  let moves: [RunMove]
  let run: ScriptRun
  let reduces: Bool
  /// Runs that are tried from each place before it gives up.
  private static let patience = 3_000

  /// - Returns: the step in words; nil when it was not found in time.
  func find(_ decisions: [NamedSchedule.Decision]) -> String? {
    let places = run.taken
    // From where on every continuation fails: once it does, it does for good.
    var escapes = 0
    var fails = moves.count
    switch canEscape(from: 0) {
    case .yes: break
    case .no: return "none: every interleaving shows it"
    case .unknown: return nil
    }
    while fails - escapes > 1 {
      let middle = (escapes + fails) / 2
      switch canEscape(from: middle) {
      case .yes: escapes = middle
      case .no: fails = middle
      case .unknown: return nil
      }
    }
    guard fails >= 1, fails <= decisions.count else { return nil }
    let step = decisions[fails - 1]
    let place = run.placeText(places[fails - 1].position)
    return "step \(fails) of \(decisions.count), \(step.thread): \(step.operation) at \(place)"
  }

  private enum Escape { case yes, no, unknown }

  /// Whether some continuation of the first steps does not show it. What else it shows does not matter.
  private func canEscape(from count: Int) -> Escape {
    let continuation = Continuation(run, Array(moves[..<count]))
    return reduces ? canEscape(OptimalReduction(continuation)) : canEscape(Enumeration(continuation))
  }

  private func canEscape(_ search: consuming some Search & ~Copyable) -> Escape {
    for _ in 0..<Self.patience {
      switch search.nextRun() {
      case .over: return .no
      case .redundant, .beyondBound: break
      case .run: if !run.wasBrokenOff, !run.observations().contains(wanted) { return .yes }
      }
    }
    return .unknown
  }
}

/// What follows the first steps of a run, as something to explore.
final class Continuation: Explorable {
  private let run: ScriptRun
  private let moves: [RunMove]

  init(_ run: ScriptRun, _ moves: [RunMove]) {
    self.run = run
    self.moves = moves
  }

  func start() { _ = Shortest.replay(moves, run) }
  func save(reusing spare: ScriptRun.Snapshot?) -> ScriptRun.Snapshot { run.save(reusing: spare) }
  func restore(_ snapshot: ScriptRun.Snapshot) { run.restore(snapshot) }
  func look(after last: Int32, into point: inout ChoicePoint) {
    run.look(after: last < 0 ? moves.last?.actor ?? -1 : last, into: &point)
  }
  func take(_ actor: Int32, _ alternative: Int32, into step: inout StepRecord) {
    run.take(actor, alternative, into: &step)
  }
}
