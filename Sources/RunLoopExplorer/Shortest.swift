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
    // The circle that the last steps close, and none before.
    run.watch.endsInLivelock = false
    defer { run.watch.endsInLivelock = true }
    run.start()
    for (index, move) in moves.enumerated() {
      run.look(after: last, into: &point)
      if index == moves.count - 1 { run.watch.endsInLivelock = true }
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
  /// - Parameters:
  ///   - wakers: who wakes loops, as other runs showed.
  ///   - start: from when on states that come back are looked for.
  static func complete(
    _ finding: inout Finding, _ run: ScriptRun, _ options: ExploreOptions, _ digest: UInt32, _ wakers: Wakers,
    watching start: StateWatch.Start
  ) {
    run.maximumSteps = options.maximumSteps
    run.watch.start = start
    var loops = LoopReport()
    guard let symbols = replay(finding.moves, run, before: { loops.note($0, run) }) else { return }
    // The run that shows a race may hang for another reason.
    if finding.kind != "dataRace" { finding.loops = loops.lines(run, wakers) }
    finding.schedule = Schedule(symbols: symbols, settings: options.settings, digest: digest).text
    let actors = Dictionary(grouping: Set(run.taken.map(\.actor)), by: run.name)
    let decisions = run.taken.enumerated().map { index, step in
      let name = run.name(of: step.actor)
      return NamedSchedule.Decision(
        thread: name, number: (actors[name]?.count ?? 1) > 1 ? step.actor : nil,
        operation: OperationText.describe(step.operation, run.session.simulation),
        alternative: UInt32(finding.moves[index].alternative))
    }
    finding.named = NamedSchedule(decisions: decisions, settings: options.settings).text
    finding.wasReplayed = finding.kind == "dataRace" || run.shows(finding.observations)
    if finding.kind == "livelock", let due = run.session.simulation.nextDue {
      finding.loops.append(
        "time stands still while threads can run: what is due at \(LoopReport.seconds(due)) never comes. "
          + "rl.work or rl.sleep in the circle lets time pass")
    }
    if finding.kind != "dataRace" {
      let search = CriticalStep(wanted: finding.observations, moves: finding.moves, run: run, reduces: options.reduces)
      finding.criticalStep = search.find(decisions)
    }
  }
}

/// Looks for the last step of a run after which every continuation shows what the run shows.
struct CriticalStep {
  /// There is no such step.
  static let none = "none: every interleaving shows it"

  let wanted: [Observation]
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
    case .no: return Self.none
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
    return "step \(fails) of \(decisions.count), \(step.who): \(step.operation) at \(place)"
  }

  private enum Escape { case yes, no, unknown }

  /// Whether some continuation of the first steps does not show it. What else it shows does not matter.
  private func canEscape(from count: Int) -> Escape {
    run.watch.cutsReturns = true
    defer { run.watch.cutsReturns = false }
    let continuation = Continuation(run, Array(moves[..<count]))
    guard reduces else { return canEscape(Enumeration(continuation)) }
    run.watch.hasSeenOne = false
    let answer = canEscape(OptimalReduction(continuation))
    // Runs that go round in circles do not show a reduction all that can follow.
    return answer == .no && run.watch.hasSeenOne ? canEscape(Enumeration(continuation)) : answer
  }

  private func canEscape(_ search: consuming some Search & ~Copyable) -> Escape {
    for _ in 0..<Self.patience {
      switch search.nextRun() {
      case .over: return .no
      case .redundant, .beyondBound: break
      case .run: if !run.wasBrokenOff, !run.wasCut, !run.shows(wanted) { return .yes }
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
  func save(into snapshot: inout ScriptRun.Snapshot) { run.save(into: &snapshot) }
  func giveBack(_ snapshot: ScriptRun.Snapshot) { run.giveBack(snapshot) }
  func restore(_ snapshot: ScriptRun.Snapshot) { run.restore(snapshot) }
  func look(after last: Int32, into point: inout ChoicePoint) {
    run.look(after: last < 0 ? moves.last?.actor ?? -1 : last, into: &point)
  }
  func take(_ actor: Int32, _ alternative: Int32, into step: inout StepRecord) {
    run.take(actor, alternative, into: &step)
  }
}
