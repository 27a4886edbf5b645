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

  /// Whether a loop would notice a stop or a wake-up now.
  public func attention(of loop: LoopID) -> LoopAttention {
    let system = shared
    let activation = system.pointee.loops[loop.index].activation
    guard activation >= 0 else { return .notRunning }
    return system.pointee.frames[Int(activation)].ignoresWakeUps ? .ignoring : .listening
  }
}

extension System {
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
