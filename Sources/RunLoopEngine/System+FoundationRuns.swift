/// The calls of the Foundation layer, each made of runs of `runInMode` (semantics 2.6; RunLoop.swift).

/// Which call a `foundationRun` frame stands for.
enum FoundationRun: UInt8, Sendable {
  case run, runMode, runUntil, runForever, acceptInput, limitDate
}

extension System {
  /// Begins one of the calls on the current thread's own loop.
  mutating func beginFoundationRun(
    _ kind: FoundationRun, _ loop: Int32, _ mode: NameID, _ date: Nanoseconds, _ thread: Int32
  ) -> Step {
    let frame = push(.foundationRun, on: thread, fromHost: true)
    frames[frame].live = Int32(kind.rawValue)
    frames[frame].loop = loop
    frames[frame].item = mode.rawValue
    frames[frame].deadline = date
    frames[frame].position = threads[Int(thread)].pendingPosition
    return advance(thread)
  }

  mutating func stepFoundationRun(_ frame: Int, _ thread: Int32) -> Flow {
    guard let kind = FoundationRun(rawValue: UInt8(truncatingIfNeeded: frames[frame].live)) else {
      defect("an unknown Foundation run")
    }
    let loop = frames[frame].loop
    let name = NameID(rawValue: frames[frame].item)
    let isFirst = frames[frame].step == 0
    frames[frame].step = 1
    switch kind {
    // `CFRunLoopRun`: until stopped or finished; its limit of 1e10 s counts as none.
    case .run:
      if !isFirst, case .run(let outcome) = result, outcome == .stopped || outcome == .finished { return .done }
      return inner(loop, .defaultMode, .distantFuture, false, thread)

    // One run that returns after a source; false for an empty mode.
    case .runMode:
      guard isFirst else {
        result = .bool(true)
        return .done
      }
      guard !isRunEmpty(loop, name) else {
        if name == .commonModes { noteCommonRun(by: thread, at: frames[frame].position) }
        result = .bool(false)
        return countPass(thread, at: frames[frame].position) ? .done : .pause
      }
      return inner(loop, name, remaining(frames[frame].deadline), true, thread)

    // `runMode` again and again, while it gives true and the date is ahead.
    case .runUntil:
      if isFirst || frames[frame].deadline > now, !isRunEmpty(loop, .defaultMode) {
        return inner(loop, .defaultMode, remaining(frames[frame].deadline), true, thread)
      }
      result = .none
      return countPass(thread, at: frames[frame].position) ? .done : .pause
    case .runForever:
      guard isRunEmpty(loop, .defaultMode) else {
        return inner(loop, .defaultMode, .distantFuture, true, thread)
      }
      result = .none
      return countPass(thread, at: frames[frame].position) ? .done : .pause

    case .acceptInput:
      guard isFirst else {
        result = .none
        return .done
      }
      return inner(loop, name, remaining(frames[frame].deadline), true, thread)

    // A poll first, which fires what is due; then the next timer's date.
    case .limitDate:
      if isFirst { return inner(loop, name, 0, true, thread) }
      if isRunEmpty(loop, name) {
        result = .none
      } else {
        result = .date(nextTimerFireDate(loop, name) ?? .distantFuture)
      }
      return .done
    }
  }

  /// One inner run; its result is in `result` when the frame goes on.
  private mutating func inner(
    _ loop: Int32, _ name: NameID, _ seconds: Nanoseconds, _ returnAfterSourceHandled: Bool, _ thread: Int32
  ) -> Flow {
    let flow = beginRun(loop, name, seconds, returnAfterSourceHandled, thread, fromHost: false)
    // A run that finishes at once has no frame; this one goes on with its result.
    return flow == .done ? .again : flow
  }

  private mutating func isRunEmpty(_ loop: Int32, _ name: NameID) -> Bool {
    let mode = findMode(loop, name)
    return mode < 0 || isEmpty(mode)
  }

  /// Time left until a date, for `runInMode`.
  private func remaining(_ date: Nanoseconds) -> Nanoseconds {
    if date == .distantFuture || date == .distantPast { return date }
    let (left, isTooFar) = date.subtractingReportingOverflow(now)
    return isTooFar ? .distantPast : left
  }

  /// The date of a mode's first timer (CFRunLoopGetNextTimerFireDate).
  mutating func nextTimerFireDate(_ loop: Int32, _ name: NameID) -> Nanoseconds? {
    let mode = findMode(loop, name)
    guard mode >= 0, !modes[Int(mode)].timers.isEmpty else { return nil }
    return places.timers[Int(modes[Int(mode)].timers.first.timer)].date
  }
}
