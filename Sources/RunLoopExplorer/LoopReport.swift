import RunLoopEngine

/// What a run that went wrong says about its run loops and conditions: which thread waits in which mode with what, or for
/// which condition, who could have woken it, and which stop, wake-up or signal came when nobody was there to notice it.
struct LoopReport {
  private struct Happened {
    var waker: Wakers.Waker
    var step: Int
    /// Whether the loop, or who waits for the condition, would have noticed; nil: that does not matter, or there was no
    /// loop.
    var attention: LoopAttention?
  }

  private var happened: [Happened] = []
  private var count = 0

  /// Looks at a step that is about to be taken.
  mutating func note(_ step: ScriptRun.Taken, _ run: ScriptRun) {
    count += 1
    guard let waker = Wakers.waker(step, run) else { return }
    var attention = Wakers.loop(of: step.operation).map { run.session.simulation.attention(of: $0) }
    if case .signalCondition(let condition, _) = step.operation {
      attention = run.session.simulation.isAwaited(condition) ? .listening : .notRunning
    }
    happened.append(Happened(waker: waker, step: count, attention: attention))
  }

  /// The lines of a run that has ended.
  ///
  /// - Parameter wakers: what was seen in other runs.
  func lines(_ run: ScriptRun, _ wakers: Wakers) -> [String] {
    var lines: [String] = []
    var told: Set<Wakers.Waker> = []
    for sleeper in run.session.simulation.sleepingLoops { lines += describe(sleeper, run, wakers, &told) }
    for waiting in run.session.simulation.waitingThreads { lines += describe(waiting, run, wakers) }
    for event in happened where event.attention == .notRunning && !told.contains(event.waker) {
      guard event.waker.isOfLoop, event.waker.effect != .waitsForWakeUp else { continue }
      lines.append("\(event.waker.words), step \(event.step): lost, nothing ran the loop then")
    }
    return lines
  }

  private func describe(
    _ sleeper: SleepingLoop, _ run: ScriptRun, _ wakers: Wakers, _ told: inout Set<Wakers.Waker>
  ) -> [String] {
    let simulation = run.session.simulation
    let thread = simulation.names[simulation.name(of: sleeper.thread)]
    var targets: [Wakers.Target: Bool] = [.loop(thread): false]
    var items: [String] = []
    for (source, isSignalled) in sleeper.sources {
      let name = simulation.names[simulation.name(of: source)]
      targets[.source(name)] = isSignalled
      items.append("source \(name) (\(isSignalled ? "signalled" : "silent"))")
    }
    for port in sleeper.ports {
      let name = simulation.names[simulation.name(of: port)]
      targets[.port(name)] = false
      items.append("port \(name)")
    }
    for (timer, fire) in sleeper.timers {
      let name = simulation.names[simulation.name(of: timer)]
      targets[.timer(name)] = false
      items.append("timer \(name) (\(fire == .distantFuture ? "never fires" : "at \(Self.seconds(fire))"))")
    }
    if sleeper.blocks > 0 { items.append("\(sleeper.blocks) queued block\(sleeper.blocks == 1 ? "" : "s")") }
    if sleeper.performs > 0 { items.append("\(sleeper.performs) perform\(sleeper.performs == 1 ? "" : "s")") }
    let what = items.isEmpty ? "nothing" : items.joined(separator: ", ")
    let head =
      "\(thread) sleeps in its run loop\(place(sleeper, run)), mode \(simulation.names[sleeper.mode]), with \(what)"

    var lines: [String] = []
    for event in happened where targets[event.waker.target] != nil {
      guard told.insert(event.waker).inserted else { continue }
      lines.append("  \(event.waker.words), step \(event.step): \(fate(event, targets, sleeper))")
    }
    for waker in wakers.all where targets[waker.target] != nil && told.insert(waker).inserted {
      lines.append(promise(waker))
    }
    return [head] + (lines.isEmpty ? [Self.nothing] : lines) + cancels(of: thread, indent: "  ")
  }

  /// A thread that waits for a condition, or for something else although it was cancelled.
  private func describe(_ waiting: WaitingThread, _ run: ScriptRun, _ wakers: Wakers) -> [String] {
    let simulation = run.session.simulation
    let thread = simulation.names[simulation.name(of: waiting.thread)]
    guard let condition = waiting.condition else { return cancels(of: thread, indent: "") }
    let name = simulation.names[simulation.name(of: condition)]
    let place = waiting.position.line > 0 ? " at \(run.placeText(waiting.position))" : ""
    // Several threads may have missed the same signals.
    let signals = happened.filter { $0.waker.target == .condition(name) }
    var lines = signals.map { event in
      let fate = event.attention == .notRunning ? "lost, nobody waited for it then" : "woke who waited for it then"
      return "  \(event.waker.words), step \(event.step): \(fate)"
    }
    let seen = Set(signals.map(\.waker))
    lines += wakers.all.filter { $0.target == .condition(name) && !seen.contains($0) }.map(promise)
    if lines.isEmpty { lines = [Self.nothing] }
    return ["\(thread) waits for condition \(name)\(place)"] + lines + cancels(of: thread, indent: "  ")
  }

  private static let nothing = "  nothing that was seen in any run would have woken it"

  /// What an operation would have done that was seen in other runs.
  private func promise(_ waker: Wakers.Waker) -> String {
    "  \(waker.words): \(promise(waker.effect)), but did not come in this run"
  }

  /// The cancels of a thread that waits.
  private func cancels(of thread: String, indent: String) -> [String] {
    happened.filter { $0.waker.target == .thread(thread) }.map {
      "\(indent)\($0.waker.words), step \($0.step): only sets a flag; a thread that waits is not woken by it"
    }
  }

  /// Where it runs its loop.
  private func place(_ sleeper: SleepingLoop, _ run: ScriptRun) -> String {
    let start = run.taken.last { $0.actor == sleeper.thread.rawValue + 1 && Self.runsLoop($0.operation) }
    guard let start, start.position.line > 0 else { return "" }
    return " at \(run.placeText(start.position))"
  }

  private static func runsLoop(_ operation: Operation?) -> Bool {
    switch operation {
    case .runInMode, .run, .runMode, .runUntil, .runForever, .acceptInput, .limitDate: true
    default: false
    }
  }

  /// Why an operation that happened has not woken the loop for good.
  private func fate(_ event: Happened, _ targets: [Wakers.Target: Bool], _ sleeper: SleepingLoop) -> String {
    switch (event.attention, event.waker.effect) {
    case (.notRunning?, .stops), (.notRunning?, .wakes): return "lost, nothing ran the loop then"
    case (.ignoring?, .wakes): return "ignored, the loop was awake"
    case (_, .waitsForWakeUp):
      let isLeft = targets[event.waker.target] == true || sleeper.blocks > 0
      return isLeft ? "does not wake; a wakeUp after it would have" : "served by a pass before"
    default: return "served by a pass before"
    }
  }

  private func promise(_ effect: Wakers.Effect) -> String {
    switch effect {
    case .wakes: "would have woken it"
    case .stops: "would have ended its run"
    case .waitsForWakeUp: "with a wakeUp after it, would have woken it"
    case .setsFlag: "would have set its flag"
    }
  }

  static func seconds(_ nanoseconds: Nanoseconds) -> String {
    let (whole, part) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let fraction = String(part)
    return "\(nanoseconds < 0 ? "-" : "")\(whole).\(String(repeating: "0", count: 9 - fraction.count))\(fraction)"
  }
}
