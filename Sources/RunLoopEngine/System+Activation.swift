/// One run of a loop in a mode: the twelve steps of semantics 2.2 in their order (CFRunLoopRunSpecific and
/// __CFRunLoopRun).

/// Where an activation stands; the numbers in the comments are those of semantics 2.2.
enum ActivationStep: UInt8, Sendable {
  case entry  // 2
  case begin  // 3
  case beforeTimers, beforeSources  // 4
  case blocksBeforeSources  // 5
  case takeSources, nextSource, performPerforms, sourceReturned  // 6
  case blocksAfterSources, checkMainQueue  // 7, 8
  case beforeWaiting, wait, waitOver  // 9
  case afterWaiting  // 10
  case serve, nextTimer, timerReturned, blocksAfterServing, decide  // 11
  case exit, leave  // 12
}

extension System {
  /// Step 1, and the push of step 2. The run's result is left in `result`.
  mutating func beginRun(
    _ loop: Int32, _ name: NameID, _ seconds: Nanoseconds, _ returnAfterSourceHandled: Bool, _ thread: Int32,
    fromHost: Bool
  ) -> Flow {
    if traces(.run) {
      var event = event(.runEnter, thread)
      event.mode = name
      event.a = seconds
      event.flags = returnAfterSourceHandled ? 1 : 0
      events.append(event)
    }
    // 1. An unknown or empty mode, or the label of the common ones: nothing to run.
    let mode = name == .commonModes ? -1 : findMode(loop, name)
    guard mode >= 0, !isEmpty(mode) else {
      let place = placeOfRun(thread, fromHost: fromHost)
      if name == .commonModes { noteCommonRun(by: thread, at: place) }
      postRunExit(name, RunResult.finished.rawValue, thread)
      result = .run(.finished)
      return countPass(thread, at: place) ? .done : .pause
    }
    // 2. A new activation becomes the loop's innermost, with its own stopped flag.
    let place = placeOfRun(thread, fromHost: fromHost)
    let frame = push(.activation, on: thread, fromHost: fromHost)
    frames[frame].loop = loop
    frames[frame].mode = mode
    frames[frame].deadline = seconds
    frames[frame].returnAfterSourceHandled = returnAfterSourceHandled
    frames[frame].previous = loops[Int(loop)].activation
    frames[frame].position = place
    loops[Int(loop)].activation = Int32(frame)
    modes[Int(mode)].hasRun = true
    return .again
  }

  mutating func stepActivation(_ frame: Int, _ thread: Int32) -> Flow {
    let loop = frames[frame].loop
    let mode = frames[frame].mode
    while true {
      switch frames[frame].activationStep {

      // 2. Tell the observers of the entry.
      case .entry:
        frames[frame].activationStep = .begin
        if notify(.entry, .entry, frame, thread) { return .again }

      // 3. A stop by an entry observer ends the run before its first pass. The deadline counts from here.
      case .begin:
        if frames[frame].isStopped {
          frames[frame].isStopped = false
          result = .run(.stopped)
          frames[frame].activationStep = .exit
          continue
        }
        setDeadline(frame, loop)
        frames[frame].servesMainQueue =
          loops[Int(loop)].thread == 0 && modes[Int(mode)].isCommon && !isInMainQueueBlock
        frames[frame].servedMainQueueLast = true
        frames[frame].activationStep = .beforeTimers

      // 4. A pass begins: wake-ups count again. Tell of the timers, then of the sources.
      case .beforeTimers:
        guard countPass(thread, at: frames[frame].position), countStep() else { return .pause }
        frames[frame].ignoresWakeUps = false
        frames[frame].handled = false
        frames[frame].activationStep = .beforeSources
        if notify(.beforeTimers, .beforeTimers, frame, thread) { return .again }
      case .beforeSources:
        frames[frame].activationStep = .blocksBeforeSources
        if notify(.beforeSources, .beforeSources, frame, thread) { return .again }

      // 5. Run the queued blocks.
      case .blocksBeforeSources:
        if loops[Int(loop)].firstBlock >= 0 {
          if mustAsk(frame, thread, .takeBlocks(LoopID(rawValue: loop))) { return .pause }
          frames[frame].activationStep = .takeSources
          if beginBlocks(frame, thread) { return .again }
        }
        frames[frame].activationStep = .takeSources

      // 6. Collect the signalled sources, then perform them one after the other.
      case .takeSources:
        if mustAsk(frame, thread, .takeSources(LoopID(rawValue: loop))) { return .pause }
        frames[frame].activationStep =
          collectSignalledSources(frame) ? .nextSource : .blocksAfterSources
      case .nextSource:
        guard let next = takeCell(frame) else {
          frames[frame].activationStep = .blocksAfterSources
          continue
        }
        if next.a < 0 {
          frames[frame].activationStep = .performPerforms
        } else if beginSource(next.a, frame, thread) {
          frames[frame].activationStep = .sourceReturned
          if callout.callback != .none { return .call }
        } else {
          frames[frame].handled = false
        }
      case .performPerforms:
        frames[frame].activationStep = .sourceReturned
        if beginPerforms(frame, thread) { return .again }
        // A nested run has carried them out: as with a source that is no longer signalled.
        frames[frame].handled = false
        frames[frame].activationStep = .nextSource
      case .sourceReturned:
        frames[frame].handled = true
        frames[frame].isWokenInVain = false
        if frames[frame].returnAfterSourceHandled {
          freeCells(frames[frame].list)
          frames[frame].list = -1
        }
        frames[frame].activationStep = .nextSource

      // 7. After a handled source the blocks run again, and the wait becomes a look.
      case .blocksAfterSources:
        frames[frame].poll =
          frames[frame].deadline == .distantPast || (frames[frame].handled && configuration.profile != .guide)
        frames[frame].activationStep = .checkMainQueue
        if frames[frame].handled, loops[Int(loop)].firstBlock >= 0, beginBlocks(frame, thread) { return .again }

      // 8. The main queue is looked at before sleeping, unless it was served last time.
      case .checkMainQueue:
        if frames[frame].servesMainQueue, !frames[frame].servedMainQueueLast, mainQueueIsReady {
          consume(ReadyEntry.mainQueue, frame, mode)
          frames[frame].live = ReadyEntry.mainQueue
          frames[frame].ignoresWakeUps = true
          frames[frame].activationStep = .serve
          continue
        }
        if configuration.profile == .guide, let port = firstReadySourcePort(mode) {
          unlist(port, mode)
          consume(port, frame, mode)
          frames[frame].live = port
          frames[frame].ignoresWakeUps = true
          frames[frame].activationStep = .serve
          continue
        }
        frames[frame].servedMainQueueLast = false
        frames[frame].activationStep = .beforeWaiting

      // 9. Wait for one live port; a poll only looks.
      case .beforeWaiting:
        frames[frame].activationStep = .wait
        if !frames[frame].poll, notify(.beforeWaiting, .beforeWaiting, frame, thread) { return .again }
      case .wait:
        if mustAsk(frame, thread, .takePort(LoopID(rawValue: loop))) { return .pause }
        if frames[frame].isWokenInVain { countWakeForNothing(frame) }
        if frames[frame].servesMainQueue, mainQueueIsReady {
          list(ReadyEntry.mainQueue, mode)
        }
        frames[frame].wakeReason = .nothing
        frames[frame].live = takeReadyPort(frame, mode)
        if frames[frame].live != ReadyEntry.none || frames[frame].poll {
          frames[frame].activationStep = .afterWaiting
          leaveWait(frame)
          continue
        }
        frames[frame].activationStep = .waitOver
        loops[Int(loop)].isWaiting = true
        block(thread, .loop)
        return .pause
      case .waitOver:
        if mustAsk(frame, thread, .takePort(LoopID(rawValue: loop))) { return .pause }
        frames[frame].live = takeReadyPort(frame, mode)
        guard frames[frame].live != ReadyEntry.none else {
          block(thread, .loop)
          return .pause
        }
        loops[Int(loop)].isWaiting = false
        threads[Int(thread)].wait = .none
        frames[frame].activationStep = .afterWaiting
        leaveWait(frame)

      // 10. Wake-ups are ignored from here on.
      case .afterWaiting:
        frames[frame].ignoresWakeUps = true
        frames[frame].activationStep = .serve
        if !frames[frame].poll {
          countWake(loop, frame)
          if notify(.afterWaiting, .afterWaiting, frame, thread) { return .again }
        }

      // 11. Serve the live port, then the queued blocks, then decide.
      case .serve:
        frames[frame].activationStep = .blocksAfterServing
        switch frames[frame].live {
        case ReadyEntry.none, ReadyEntry.wakeUp:
          break
        case ReadyEntry.timer:
          frames[frame].activationStep = .nextTimer
          if !collectDueTimers(frame) {
            frames[frame].isWokenInVain = !isExplored
            rearmAfterNothingFired(mode)
            frames[frame].activationStep = .blocksAfterServing
          }
        case ReadyEntry.mainQueue:
          frames[frame].handled = true
          frames[frame].isWokenInVain = false
          frames[frame].servedMainQueueLast = true
          beginMainQueue(frame, thread)
          return .again
        default:
          let isReceiving = beginReceive(frame, thread)
          // A port that an observer took away meanwhile gave nothing.
          frames[frame].isWokenInVain = !isExplored && !frames[frame].handled
          if isReceiving { return .again }
        }
      case .nextTimer:
        guard let next = takeDueTimer(frame) else {
          frames[frame].activationStep = .blocksAfterServing
          continue
        }
        if beginFire(next, frame, thread) {
          frames[frame].activationStep = .timerReturned
          if callout.callback != .none {
            if batchIsStill(frame, Int(mode), thread) { stillFrame = Int32(truncatingIfNeeded: frame) }
            return .call
          }
        }
      case .timerReturned:
        frames[frame].activationStep = .nextTimer
        guard endFire(frame) else { return .pause }
        if let next = quietPass(frame, thread), beginFire(next, frame, thread) {
          frames[frame].activationStep = .timerReturned
          if callout.callback != .none {
            if threads[Int(thread)].pool < 0 { stillFrame = Int32(truncatingIfNeeded: frame) }
            return .call
          }
          return .again
        }
      case .blocksAfterServing:
        // Where the host chooses, others may also come before the look at the stopped flag.
        if isExplored || loops[Int(loop)].firstBlock >= 0 {
          if mustAsk(frame, thread, .takeBlocks(LoopID(rawValue: loop))) { return .pause }
          frames[frame].activationStep = .decide
          if beginBlocks(frame, thread) { return .again }
        }
        frames[frame].activationStep = .decide
      case .decide:
        frames[frame].activationStep = .beforeTimers
        if frames[frame].deadline != .distantFuture { readsClock() }
        let isOver = frames[frame].deadline != .distantFuture && frames[frame].deadline <= now
        // The guide restarts the loop after a timer or a wake-up; a stop is seen at the next look.
        let overlooksStop =
          configuration.profile == .guide
          && (frames[frame].live == ReadyEntry.timer
            || (frames[frame].live == ReadyEntry.wakeUp && frames[frame].wakeReason != .timeout))
        if frames[frame].handled, frames[frame].returnAfterSourceHandled {
          result = .run(.handledSource)
        } else if isOver {
          result = .run(.timedOut)
        } else if frames[frame].isStopped, !overlooksStop {
          frames[frame].isStopped = false
          result = .run(.stopped)
        } else if isEmpty(mode) {
          result = .run(.finished)
        } else {
          continue
        }
        frames[frame].activationStep = .exit

      // 12. Tell of the exit; the activation before becomes the innermost again.
      case .exit:
        frames[frame].activationStep = .leave
        if case .run(let outcome) = result { frames[frame].live = Int32(outcome.rawValue) }
        clearDeadline(frame)
        if notify(.exit, .exit, frame, thread) { return .again }
      case .leave:
        guard let outcome = RunResult(rawValue: Int64(frames[frame].live)) else { defect("a run without a result") }
        loops[Int(loop)].activation = frames[frame].previous
        postRunExit(modes[Int(mode)].name, outcome.rawValue, thread)
        result = .run(outcome)
        return .done
      }
    }
  }

  @inline(__always)
  private mutating func countWake(_ loop: Int32, _ frame: Int) {
    let reason = frames[frame].wakeReason
    if reason == .timer {
      loops[Int(loop)].timerWakes += 1
    } else {
      loops[Int(loop)].wakeCounts[Int(reason.rawValue)] += 1
      if reason == .wakeUp || reason == .nothing { frames[frame].isWokenInVain = !isExplored }
    }
  }

  /// The loop is about to wait again, and has done nothing since it was woken.
  @inline(never)
  private mutating func countWakeForNothing(_ frame: Int) {
    frames[frame].isWokenInVain = false
    loops[Int(frames[frame].loop)].wakeCounts[LoopRecord.wakesForNothing] += 1
  }

  /// The main queue is in the port set during the wait only.
  @inline(__always)
  private mutating func leaveWait(_ frame: Int) {
    guard frames[frame].servesMainQueue else { return }
    unlist(ReadyEntry.mainQueue, frames[frame].mode)
  }

  // MARK: Leaving

  /// - Parameter outcome: a `RunResult`, or a `LeftRunResult`.
  private mutating func postRunExit(_ mode: NameID, _ outcome: Int64, _ thread: Int32) {
    guard traces(.run) else { return }
    var event = event(.runExit, thread)
    event.mode = mode
    event.a = outcome
    events.append(event)
  }

  /// An error leaves an activation: no exit notification, as an exception would in the library, but the books are kept.
  mutating func abandonActivation(_ frame: Int, _ thread: Int32) {
    let record = frames[frame]
    freeCells(record.list)
    if record.message >= 0 { _ = refuse(releaseMessage(record.message)) }
    // A fire that an error left has been all the same: the timer is done, or goes on along its grid.
    // One that has ended its thread never comes back: the library leaves the timer as it was then, in its callback.
    if record.activationStep == .timerReturned, !threads[Int(thread)].isExiting { _ = endFire(frame) }
    clearDeadline(frame)
    loops[Int(record.loop)].activation = record.previous
    if isExplored {
      exploration.leftRuns.append(
        Explored.LeftRun(
          thread: ThreadID(rawValue: thread), mode: modes[Int(record.mode)].name, position: record.position))
    }
    let outcome = threads[Int(thread)].isExiting ? LeftRunResult.exited : .error
    postRunExit(modes[Int(record.mode)].name, outcome.rawValue, thread)
  }

  /// Where the script asks for a run that begins now: by itself, or by the Foundation run that is the innermost frame.
  private mutating func placeOfRun(_ thread: Int32, fromHost: Bool) -> Position {
    fromHost ? threads[Int(thread)].pendingPosition : frames[Int(threads[Int(thread)].top)].position
  }
}
