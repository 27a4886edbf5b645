/// A run loop that waits, as a report of what went wrong needs it.
public struct SleepingLoop: Sendable {
  /// The thread that it belongs to.
  public var thread: ThreadID
  /// The mode that it runs.
  public var mode: NameID
  /// The version-0 sources of the mode, and whether each is signalled.
  public var sources: [(source: SourceID, isSignalled: Bool)]
  /// The ports of the mode.
  public var ports: [PortID]
  /// The timers of the mode, the next to fire first, and when.
  public var timers: [(timer: TimerID, fire: Nanoseconds)]
  /// Blocks and perform requests that wait for the mode.
  public var blocks: Int
  public var performs: Int
}

/// A thread that waits for something else than its run loop, as a report of what went wrong needs it.
public struct WaitingThread: Sendable {
  public var thread: ThreadID
  /// The condition whose signal it waits for; nil: it waits for something else.
  public var condition: LockID?
  /// Where the script waits, if it is known.
  public var position: Position
  public var isCancelled: Bool
}

/// Whether a loop notices a stop or a wake-up.
public enum LoopAttention: Sendable {
  /// Nothing runs it: both are lost.
  case notRunning
  /// It is busy with what its innermost run does: a wake-up is ignored, a stop is not.
  case ignoring
  case listening
}

extension Simulation {
  /// The loops that wait, by ascending number of their threads.
  ///
  /// - Complexity: O(items of their modes).
  public var sleepingLoops: [SleepingLoop] { shared.pointee.sleepingLoops }

  /// The threads that wait for something else than their loops, by ascending number.
  ///
  /// - Complexity: O(threads).
  public var waitingThreads: [WaitingThread] { shared.pointee.waitingThreads }

  /// Whether a thread waits for a condition's signal now: a signal without one is lost.
  public func isAwaited(_ condition: LockID) -> Bool { shared.pointee.locks[condition.index].sleepers.first >= 0 }

  /// Whether a loop would notice a stop or a wake-up now.
  public func attention(of loop: LoopID) -> LoopAttention {
    let system = shared
    let activation = system.pointee.loops[loop.index].activation
    guard activation >= 0 else { return .notRunning }
    return system.pointee.frames[Int(activation)].ignoresWakeUps ? .ignoring : .listening
  }
}

extension System {
  fileprivate var waitingThreads: [WaitingThread] {
    var found: [WaitingThread] = []
    for index in threads.indices where threads[index].state == .blocked {
      let record = threads[index]
      if case .loop = record.wait { continue }
      var waiting = WaitingThread(
        thread: ThreadID(index), condition: nil, position: record.waitPosition, isCancelled: record.isCancelled)
      if case .condition(let lock) = record.wait { waiting.condition = LockID(rawValue: lock) }
      found.append(waiting)
    }
    return found
  }

  fileprivate var sleepingLoops: [SleepingLoop] {
    var found: [SleepingLoop] = []
    for loop in loops.indices where loops[loop].isWaiting && loops[loop].activation >= 0 {
      let thread = loops[loop].thread
      let index = frames[Int(loops[loop].activation)].mode
      let mode = modes[Int(index)]
      var sleeper = SleepingLoop(
        thread: ThreadID(rawValue: thread), mode: mode.name, sources: [], ports: mode.ports.map(PortID.init(rawValue:)),
        timers: [], blocks: 0, performs: 0)
      for source in mode.sources {
        sleeper.sources.append((SourceID(rawValue: source), sources[Int(source)].isSignalled))
      }
      for entry in mode.timers.sorted(through: .distantFuture) {
        sleeper.timers.append((TimerID(rawValue: entry.timer), entry.fire.nanoseconds))
      }
      var block = loops[loop].firstBlock
      while block >= 0 {
        if modeList(blocks[Int(block)].modes, includes: index) { sleeper.blocks += 1 }
        block = blocks[Int(block)].next
      }
      var perform = threads[Int(thread)].firstPerform
      while perform >= 0 {
        if modeList(performs[Int(perform)].request.modes, includes: index) { sleeper.performs += 1 }
        perform = performs[Int(perform)].next
      }
      found.append(sleeper)
    }
    found.sort { $0.thread.rawValue < $1.thread.rawValue }
    return found
  }
}
