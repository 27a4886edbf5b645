import RunLoopEngine
import RunLoopScript

extension ScriptRun {
  /// Whether the run that has just ended shows all of these.
  func shows(_ wanted: [Observation]) -> Bool {
    let found = observations()
    return wanted.allSatisfy { found.contains($0) }
  }

  /// What is wrong with the run that has just ended, each kind and place once.
  func observations() -> [Observation] {
    if isClean { return [] }
    var found: [Observation] = []
    func add(_ kind: String, _ details: [String]) {
      let observation = Observation(kind: kind, details: details)
      if !found.contains(observation) { found.append(observation) }
    }
    // The lines of one kind that follow each other tell of one thing.
    var lines: [FaultLine] = []
    for line in significantFaults() {
      if let last = lines.last, last.kind != line.kind || !["deadlock", "livelock"].contains(line.kind) {
        add(last.kind, lines.map(\.place))
        lines = []
      }
      lines.append(line)
    }
    if let last = lines.last { add(last.kind, lines.map(\.place)) }
    if let outcome = record.outcome, outcome.kind == .scriptError, lines.last?.kind != "trap" {
      add("error", [outcome.message ?? "an error"])
    }
    addLeaks(add)
    return found
  }

  /// Whether there is nothing to be told, as a rule.
  private var isClean: Bool {
    guard record.faults.isEmpty, case .ended(let reason) = record.outcome?.kind else { return false }
    return !session.simulation.hasLeftRuns && (reason != .returned || session.simulation.unjoinedThreads.isEmpty)
  }

  /// The lines of faults without those that follow from others: a thread that joins one that is stuck, and the count of
  /// failed expectations.
  private func significantFaults() -> [FaultLine] {
    let lines = record.faults.filter {
      (!$0.thread.isEmpty || $0.kind != "expectation") && ($0.kind != "error" || record.outcome?.kind != .scriptError)
    }
    let own = lines.filter { !($0.kind == "stuck" && $0.text.contains(" waits=join:")) }
    return own.isEmpty ? lines : own
  }

  private func addLeaks(_ add: (String, [String]) -> Void) {
    if record.outcome?.kind != .scriptError {
      for left in session.simulation.explored.leftRuns {
        let words = "run in mode \(session.simulation.names[left.mode]) at \(placeText(left.position))"
        let thread = name(of: left.thread.rawValue + 1)
        add("leak", ["thread \(thread): an error left the \(words); no loop undoes such a run"])
      }
    }
    guard case .ended(.returned) = record.outcome?.kind else { return }
    for thread in session.simulation.unjoinedThreads {
      let place = placeText(session.simulation.startPosition(of: thread))
      add("leak", ["thread \(name(of: thread.rawValue + 1)) was never joined (started at \(place))"])
    }
  }

  func placeText(_ position: Position) -> String {
    position.line > 0 ? "\(session.simulation.names[position.file]):\(position.line)" : "an unknown place"
  }
}

extension FaultLine {
  /// The line without what changes from run to run.
  var place: String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    // Threads that do the same come to the same trap.
    let changing = kind == "trap" ? ["since=", "thread="] : ["since="]
    return words.filter { word in !changing.contains { word.hasPrefix($0) } }.joined(separator: " ")
  }
}
