/// What a thread leaves behind that never came to its turn: timers, blocks and the like in a loop that nobody ran.

/// One thing that never happened.
struct Unrun: Sendable {
  enum Kind: Sendable {
    case timer, delayedPerform, perform, block, source, message, mainQueueBlock, delayedBlock
  }

  var kind: Kind
  /// Whose loop it is in.
  var thread: Int32
  /// The modes that it is for; of the main queue none.
  var modes: [NameID]
  /// Whether one of them was run at some time.
  var hasRun: Bool
  var name = NameID.none
  /// When a timer was due first.
  var due = Nanoseconds.distantFuture
  var timer: Int32 = -1
  var position = Position.unknown
}

extension System {
  /// Of more than so many things the others are counted.
  private static let mostUnrun = 100

  /// A mode with more timers than so many is not searched for those that never fired.
  private static let mostTimers = 1_000

  private mutating func add(_ thing: Unrun) {
    if unrun.count < Self.mostUnrun { unrun.append(thing) } else { moreUnrun += 1 }
  }

  /// Notes the perform requests that end with a thread.
  mutating func notePerformsLeft(by thread: Int32) {
    if isExplored { return }
    var perform = threads[Int(thread)].firstPerform
    while perform >= 0 {
      let record = performs[Int(perform)]
      let modes = names(in: record.request.modes)
      add(
        Unrun(
          kind: .perform, thread: thread, modes: modes, hasRun: hasRun(modes, threads[Int(thread)].loop),
          name: record.request.name, position: record.position))
      perform = record.next
    }
  }

  /// Notes what is left in the main thread's loop, which lives as long as the process. Once, when the run is over.
  mutating func noteLeftByMain() {
    if threads[0].state == .ended, threads[0].loop >= 0 { noteLeft(in: threads[0].loop) }
  }

  /// Notes what is left in a loop whose thread ends.
  mutating func noteLeft(in loop: Int32) {
    if isExplored { return }
    let thread = loops[Int(loop)].thread
    for mode in loops[Int(loop)].modes {
      let record = modes[Int(mode)]
      noteTimers(of: mode, thread)
      for source in record.sources where sources[Int(source)].isSignalled {
        let (name, position) = (sources[Int(source)].name, sources[Int(source)].signalPosition)
        add(
          Unrun(
            kind: .source, thread: thread, modes: [record.name], hasRun: record.hasRun, name: name, position: position))
      }
      for port in record.ports where !ports[Int(port)].messages.isEmpty {
        add(
          Unrun(
            kind: .message, thread: thread, modes: [record.name], hasRun: record.hasRun, name: ports[Int(port)].name))
      }
    }
    var block = loops[Int(loop)].firstBlock
    while block >= 0 {
      let modes = names(in: blocks[Int(block)].modes)
      let position = blocks[Int(block)].position
      add(Unrun(kind: .block, thread: thread, modes: modes, hasRun: hasRun(modes, loop), position: position))
      block = blocks[Int(block)].next
    }
    if thread == 0 { noteMainQueue(loop) }
  }

  private mutating func noteMainQueue(_ loop: Int32) {
    let hasRun = hasRun([.commonModes], loop)
    var queued: Set<Int32> = []
    var block = firstQueued
    while block >= 0 {
      queued.insert(block)
      let position = blocks[Int(block)].position
      add(Unrun(kind: .mainQueueBlock, thread: 0, modes: [], hasRun: hasRun, position: position))
      block = blocks[Int(block)].next
    }
    for index in blocks.indices where blocks[index].isDelayed && blocks[index].callback != .none {
      if queued.contains(Int32(index)) { continue }
      add(Unrun(kind: .delayedBlock, thread: 0, modes: [], hasRun: hasRun, position: blocks[index].position))
    }
  }

  private mutating func noteTimers(of mode: Int32, _ thread: Int32) {
    let record = modes[Int(mode)]
    let isLarge = record.timers.count > Self.mostTimers
    if isLarge, record.hasRun { return }
    for entry in isLarge ? [record.timers.first] : record.timers.sorted(through: .distantFuture) {
      let timer = places.timers[Int(entry.timer)]
      guard fireCount(TimerID(rawValue: entry.timer)) == 0, timer.isValid, !timer.isFiring else { continue }
      let name = places.details[Int(entry.timer)].name
      // One that is in several modes is one thing.
      if let known = unrun.lastIndex(where: { $0.timer == entry.timer }) {
        unrun[known].modes.append(record.name)
        unrun[known].hasRun = unrun[known].hasRun || record.hasRun
        continue
      }
      add(
        Unrun(
          kind: timer.perform >= 0 ? .delayedPerform : .timer, thread: thread, modes: [record.name],
          hasRun: record.hasRun, name: name, due: timer.fire.nanoseconds, timer: entry.timer))
    }
    if isLarge { moreUnrun += record.timers.count - 1 }
  }

  /// Whether one of some modes, or of the common ones, was run.
  private func hasRun(_ names: [NameID], _ loop: Int32) -> Bool {
    guard loop >= 0 else { return false }
    return loops[Int(loop)].modes.contains { mode in
      let record = modes[Int(mode)]
      return record.hasRun && (names.contains(record.name) || record.isCommon && names.contains(.commonModes))
    }
  }

  // MARK: Words

  /// What never happened and why, a line each; empty when nothing was left.
  func describeUnrun() -> String {
    var text = ""
    for thing in unrun {
      let reason = thing.hasRun ? reasonAfterRun(thing) : "nothing ran \(loopText(thing)) \(modeText(thing))"
      text += "left undone: \(words(thing)): \(reason)\n"
    }
    if moreUnrun > 0 { text += "left undone: \(moreUnrun) more\n" }
    return text
  }

  /// One sentence on what was in loops that nobody ran; empty when there is no such thing.
  func noteOnUnrun() -> String {
    guard let first = unrun.first(where: { !$0.hasRun }) else { return "" }
    let things = unrun.filter { !$0.hasRun && $0.thread == first.thread }
    let shown = things.prefix(3).map { words($0) }
    let more = unrun.count { !$0.hasRun } + moreUnrun - shown.count
    let list = shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    let loop = first.thread == 0 ? "rl.mainLoop:run()" : "rl.currentLoop():run()"
    return
      "\(names[threads[Int(first.thread)].name]) ended, and nothing ran its loop \(modeText(first)), so this was left "
      + "undone: \(list) (\(loop) at the end of its function runs it; --explain tells all)"
  }

  private func loopText(_ thing: Unrun) -> String { "\(names[threads[Int(thing.thread)].name])'s loop" }

  private func modeText(_ thing: Unrun) -> String {
    switch thing.modes.count {
    case 0: return "in a common mode"
    case 1: return thing.modes[0] == .commonModes ? "in a common mode" : "in mode \(names[thing.modes[0]])"
    default: return "in one of the modes \(thing.modes.map { names[$0] }.joined(separator: ", "))"
    }
  }

  private func reasonAfterRun(_ thing: Unrun) -> String {
    if thing.kind == .timer || thing.kind == .delayedPerform {
      return thing.due > now
        ? "its thread had ended by then"
        : "when it was due, nothing ran \(loopText(thing)) \(modeText(thing))"
    }
    return "no pass of \(loopText(thing)) \(modeText(thing)) came after it"
  }

  private func words(_ thing: Unrun) -> String {
    let place = names.text(of: thing.position, after: " (", before: ")")
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
}
