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
  /// Which timer or source it is.
  var timer: Int32 = -1
  var source: Int32 = -1
  var position = Position.unknown
  /// Its thread had ended when it was asked for.
  var cameTooLate = false

  /// Whoever runs a loop knows what a loop is for, and what came too late is in the trace.
  var isNews: Bool { !hasRun && !cameTooLate }
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
      noteLeft(performs[Int(perform)], thread)
      perform = performs[Int(perform)].next
    }
  }

  private mutating func noteLeft(_ record: PerformRecord, _ thread: Int32) {
    let modes = names(in: record.request.modes)
    add(
      Unrun(
        kind: .perform, thread: thread, modes: modes, hasRun: hasRun(modes, threads[Int(thread)].loop),
        name: record.request.name, position: record.position))
  }

  /// Notes what is left when the run is over, once: in the main thread's loop, which lives as long as the process; for
  /// threads that were never started; and, when some thread is stuck, in modes that nobody runs of loops that wait.
  mutating func noteLeftAtEnd() {
    if isExplored { return }
    if threads[0].state == .ended, threads[0].loop >= 0 { noteLeft(in: threads[0].loop) }
    for thread in threads.indices where threads[thread].state == .new {
      notePerformsLeft(by: Int32(thread))
      if threads[thread].loop >= 0 { noteLeft(in: threads[thread].loop) }
    }
    guard ending == .fault, endDetail.isEmpty else { return }
    let isStuck = threads.indices.contains { thread in
      if threads[thread].state != .blocked || threads[thread].wait == .loop { return false }
      return !threads[thread].isInDeadlock
    }
    if isStuck { for loop in loops.indices where loops[loop].isWaiting { noteOutside(Int32(loop)) } }
  }

  /// Notes what the modes hold that a waiting loop does not run.
  private mutating func noteOutside(_ loop: Int32) {
    let thread = loops[Int(loop)].thread
    for mode in loops[Int(loop)].modes where !isBeingRun(mode) { noteSourcesAndPorts(of: mode, thread) }
    var perform = threads[Int(thread)].firstPerform
    while perform >= 0 {
      let record = performs[Int(perform)]
      if !isBeingRun(record.request.modes, loop) { noteLeft(record, thread) }
      perform = record.next
    }
    var block = loops[Int(loop)].firstBlock
    while block >= 0 {
      if !isBeingRun(blocks[Int(block)].modes, loop) { noteBlock(block, thread) }
      block = blocks[Int(block)].next
    }
  }

  /// Whether a run of the mode is under way, the innermost or another one.
  private func isBeingRun(_ mode: Int32) -> Bool {
    var activation = loops[Int(modes[Int(mode)].loop)].activation
    while activation >= 0 {
      if frames[Int(activation)].mode == mode { return true }
      activation = frames[Int(activation)].previous
    }
    return false
  }

  private func isBeingRun(_ list: ModeList, _ loop: Int32) -> Bool {
    loops[Int(loop)].modes.contains { modeList(list, includes: $0) && isBeingRun($0) }
  }

  /// A run in the common modes, which finishes at once.
  mutating func noteCommonRun(by thread: Int32, at position: Position) {
    if !isExplored { commonRun = (thread, position) }
  }

  /// Notes a perform request that came when its thread had ended.
  mutating func noteLatePerform(_ request: PerformRequest, on thread: Int32, _ position: Position) {
    if isExplored || request.wait { return }
    add(
      Unrun(
        kind: .perform, thread: thread, modes: names(in: request.modes), hasRun: true, name: request.name,
        position: position, cameTooLate: true))
  }

  /// Notes what is left in a loop whose thread ends.
  mutating func noteLeft(in loop: Int32) {
    if isExplored { return }
    let thread = loops[Int(loop)].thread
    for mode in loops[Int(loop)].modes {
      noteTimers(of: mode, thread)
      noteSourcesAndPorts(of: mode, thread)
    }
    var block = loops[Int(loop)].firstBlock
    while block >= 0 {
      noteBlock(block, thread)
      block = blocks[Int(block)].next
    }
    if thread == 0 { noteMainQueue(loop) }
  }

  private mutating func noteSourcesAndPorts(of mode: Int32, _ thread: Int32) {
    let record = modes[Int(mode)]
    for source in record.sources where sources[Int(source)].isSignalled {
      // One that is in several modes is one thing.
      if let known = unrun.lastIndex(where: { $0.source == source && $0.thread == thread }) {
        unrun[known].modes.append(record.name)
        unrun[known].hasRun = unrun[known].hasRun || record.hasRun
        continue
      }
      let (name, position) = (sources[Int(source)].name, sources[Int(source)].signalPosition)
      add(
        Unrun(
          kind: .source, thread: thread, modes: [record.name], hasRun: record.hasRun, name: name, source: source,
          position: position))
    }
    for port in record.ports where !ports[Int(port)].messages.isEmpty {
      add(
        Unrun(
          kind: .message, thread: thread, modes: [record.name], hasRun: record.hasRun, name: ports[Int(port)].name))
    }
  }

  private mutating func noteBlock(_ block: Int32, _ thread: Int32) {
    let modes = names(in: blocks[Int(block)].modes)
    add(
      Unrun(
        kind: .block, thread: thread, modes: modes, hasRun: hasRun(modes, threads[Int(thread)].loop),
        position: blocks[Int(block)].position))
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
}
