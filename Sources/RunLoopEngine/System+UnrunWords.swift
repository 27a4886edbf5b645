/// What is said of what never happened: a line each (`--explain`), or one sentence on the most important (a note).

extension System {
  /// What never happened and why, a line each; empty when nothing was left.
  func describeUnrun() -> String {
    var text = ""
    for thing in unrun { text += "left undone: \(words(thing)): \(reason(thing))\n" }
    if moreUnrun > 0 { text += "left undone: \(moreUnrun) more\n" }
    for item in unaddedItems() { text += "left undone: \(words(item)): it is in no loop\n" }
    return text
  }

  /// One sentence on what nobody could ever do; empty when there is no such thing.
  func noteOnUnrun() -> String {
    guard let first = unrun.first(where: \.isNews) else { return noteOnUnadded() }
    let things = unrun.filter { $0.isNews && $0.thread == first.thread && $0.modes == first.modes }
    let shown = things.prefix(3).map { words($0) }
    var others = unrun.count(where: \.isNews) - things.count
    var more = things.count - shown.count
    // Those that were only counted are most likely more of the same.
    if others == 0 { more += moreUnrun } else { others += moreUnrun }
    let list = shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    let rest = others > 0 ? " and \(others) more of other modes or threads" : ""
    return "\(cause(first)), so this was left undone: \(list) (\(advice(first)); --explain tells all\(rest))"
  }

  // MARK: Why

  private func isNew(_ thing: Unrun) -> Bool { threads[Int(thing.thread)].state == .new }

  /// Why the things of a loop and mode were never done.
  private func cause(_ thing: Unrun) -> String {
    let name = names[threads[Int(thing.thread)].name]
    if isNew(thing) { return "thread \(name) was never started" }
    if let mode = presentMode(thing) {
      return "\(name) waits in mode \(mode), and nothing ran its loop \(modeText(thing))"
    }
    return "\(name) ended, and nothing ran its loop \(modeText(thing))"
  }

  /// What to do about it.
  private func advice(_ thing: Unrun) -> String {
    if isNew(thing) { return "start() starts it" }
    let loop = thing.thread == 0 ? "rl.mainLoop" : "rl.currentLoop()"
    let common =
      commonRun.thread == thing.thread
      ? "the run in mode common\(placeText(commonRun.position)) finished at once, as common stands for several modes and "
        + "is none to run in; " : ""
    if presentMode(thing) != nil { return common + "what is in mode common takes part in any common mode" }
    let isCommon = thing.modes.isEmpty || thing.modes.contains { $0 == .defaultMode || $0 == .commonModes }
    if isCommon { return "\(common)\(loop):run() at the end of its function runs it" }
    return
      "\(common)\(loop):runInMode(\"\(names[thing.modes[0]])\") at the end of its function runs it, or in mode common any run in a common mode"
  }

  /// The mode that a loop which still waits is running.
  private func presentMode(_ thing: Unrun) -> String? {
    let loop = threads[Int(thing.thread)].loop
    guard loop >= 0, loops[Int(loop)].isWaiting, loops[Int(loop)].activation >= 0 else { return nil }
    return names[modes[Int(frames[Int(loops[Int(loop)].activation)].mode)].name]
  }

  private func reason(_ thing: Unrun) -> String {
    let name = names[threads[Int(thing.thread)].name]
    if thing.cameTooLate { return "\(name) had ended at \(threads[Int(thing.thread)].endTime.traceText)" }
    if isNew(thing) { return "\(name) was never started" }
    if let mode = presentMode(thing) { return "\(name) waits in mode \(mode), and not \(modeText(thing))" }
    guard thing.hasRun else { return "nothing ran \(name)'s loop \(modeText(thing))" }
    if thing.kind == .timer || thing.kind == .delayedPerform {
      return thing.due > now
        ? "its thread had ended by then" : "when it was due, nothing ran \(name)'s loop \(modeText(thing))"
    }
    return "no pass of \(name)'s loop \(modeText(thing)) came after it"
  }

  // MARK: What

  private func modeText(_ thing: Unrun) -> String {
    switch thing.modes.count {
    case 0: return "in a common mode"
    case 1: return thing.modes[0] == .commonModes ? "in a common mode" : "in mode \(names[thing.modes[0]])"
    default: return "in one of the modes \(thing.modes.map { names[$0] }.joined(separator: ", "))"
    }
  }

  private func words(_ thing: Unrun) -> String {
    let place = thing.position.line > 0 ? " (\(names[thing.position.file]):\(thing.position.line))" : ""
    let due = thing.due == .distantFuture ? "" : " (due at \(thing.due.traceText))"
    switch thing.kind {
    case .timer: return "timer \(names[thing.name])\(due)"
    case .delayedPerform: return "the delayed perform \(names[thing.name])\(due)"
    case .perform: return "perform \(names[thing.name])\(place)"
    case .block: return "a block\(place)"
    case .source: return "signalled source \(names[thing.name])\(place)"
    case .message: return "a message to port \(names[thing.name])"
    case .mainQueueBlock: return "a block of the main queue\(place)"
    case .delayedBlock: return "a delayed block of the main queue\(place)"
    }
  }

  /// " at script.lua:3"; empty when it is not known.
  func placeText(_ position: Position) -> String {
    position.line > 0 ? " at \(names[position.file]):\(position.line)" : ""
  }
}
