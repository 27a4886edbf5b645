@preconcurrency import CoreFoundation
import RunLoopEngine
import RunLoopScript

/// What the library calls, and what follows: an event, and a call of the script's function.
extension LiveRun {
  // MARK: Sources

  func perform(_ source: SourceID, _ thread: LiveThread) {
    let parts = session.simulation.parts(of: source)
    session.simulation.post(.source, thread.id, subject: parts.name)
    callFromLoop(Callout(of: .source, parts.perform, object: source.rawValue))
  }

  func schedule(_ source: SourceID, _ loop: CFRunLoop?, _ mode: CFRunLoopMode?, isCancel: Bool, _ thread: LiveThread) {
    guard let loop, let mode, let live = loopsByAddress[Unmanaged.passUnretained(loop).toOpaque()] else { return }
    let parts = session.simulation.parts(of: source)
    let name = name(mode)
    session.simulation.post(isCancel ? .sourceCancel : .sourceSchedule, thread.id, subject: parts.name, mode: name)
    var callout = Callout(
      of: isCancel ? .cancel : .schedule, isCancel ? parts.cancel : parts.schedule,
      object: source.rawValue)
    callout.loop = live.id
    callout.mode = name
    // While its thread takes it apart, the loop is there for as long as this call lasts.
    let isDying = live.loop == nil
    if isDying { live.loop = loop }
    holdingLoop(thread) { _ = call(callout) }
    if isDying { live.loop = nil }
  }

  // MARK: Timers

  func fire(_ timer: TimerID, _ thread: LiveThread) {
    let index = Int(timer.rawValue)
    let parts = session.simulation.parts(of: timer)
    let scheduled = max(clock.date(CFRunLoopTimerGetNextFireDate(timers[index].timer)), timers[index].since)
    let passed = parts.period > 0 ? max(0, clock.now - scheduled) / parts.period : 0
    let missed = passed + timers[index].missed + pointsPassed(by: timers[index], parts.period, before: scheduled)
    timers[index].missed = 0
    timers[index].last = (scheduled, passed)
    callFromLoop(report(timer, scheduled, missed, thread))
  }

  /// Points of the grid that passed while the callback before ran, up to the next date.
  private func pointsPassed(by timer: LiveTimer, _ period: Nanoseconds, before date: Nanoseconds) -> Int64 {
    guard let last = timer.last, period > 0 else { return 0 }
    let steps = Double(date - last.scheduled) / Double(period)
    return max(0, Int64(steps.rounded()) - 1 - last.passed)
  }

  /// `timer:setNextFireDate`: what was missed by then stays so.
  func setNextFireDate(_ timer: TimerID, _ date: Nanoseconds) -> OperationResult {
    let index = Int(timer.rawValue)
    let next = clock.date(CFRunLoopTimerGetNextFireDate(timers[index].timer))
    let period = session.simulation.parts(of: timer).period
    timers[index].missed += pointsPassed(by: timers[index], period, before: next)
    timers[index].last = nil
    timers[index].since = clock.now
    let real = timers[index].timer
    askLibrary { CFRunLoopTimerSetNextFireDate(real, clock.absolute(date)) }
    return .none
  }

  /// `timer:fire()`, as the Foundation layer does it.
  func fireByHand(_ timer: TimerID) -> OperationResult {
    let real = timers[Int(timer.rawValue)].timer
    guard CFRunLoopTimerIsValid(real) else { return .none }
    call(report(timer, clock.now, 0, current))
    if session.simulation.parts(of: timer).interval <= 0 { askLibrary { CFRunLoopTimerInvalidate(real) } }
    return .none
  }

  /// Posts a fire; what is to be called for it.
  private func report(
    _ timer: TimerID, _ scheduled: Nanoseconds, _ missed: Int64, _ thread: LiveThread
  ) -> Callout {
    let parts = session.simulation.parts(of: timer)
    let fire = session.simulation.countFire(timer, missed: missed)
    var callout = Callout(of: .timer, parts.callback, object: timer.rawValue)
    if let request = parts.request {
      session.simulation.post(.perform, thread.id, subject: request.name)
      callout.kind = .perform
      callout.value = request.argument
    } else {
      session.simulation.post(.timer, thread.id, subject: parts.name) {
        $0.a = Int64(fire)
        $0.b = scheduled
        $0.c = missed
      }
    }
    return callout
  }

  // MARK: Observers

  func observe(_ observer: ObserverID, _ activity: Activities, _ thread: LiveThread) {
    let parts = session.simulation.parts(of: observer)
    session.simulation.post(.observer, thread.id, subject: parts.name) { $0.a = Int64(activity.rawValue) }
    var callout = Callout(of: .observer, parts.handler, object: observer.rawValue)
    callout.activity = activity
    callout.loop = session.simulation.loop(of: thread.id)
    callFromLoop(callout)
  }

  // MARK: Blocks

  func performBlock(_ loop: LiveLoop, _ modes: ModeList, _ block: HostValue) -> OperationResult {
    if isGone(loop, "performBlock") {
      session.release(block)
      return .none
    }
    let real = loop.loop
    let names = session.simulation.modeNames(in: modes)
    let run = { [self] in
      callback { thread in
        session.simulation.post(.block, thread.id, mode: loop.mode)
        callFromLoop(Callout(of: .block, block))
      }
    }
    if names.count == 1 {
      let name = Library.name(of: self.real(names[0]))
      askLibrary { CFRunLoopPerformBlock(real, name, run) }
    } else {
      var callbacks = kCFTypeArrayCallBacks
      let list = CFArrayCreateMutable(nil, 0, &callbacks)
      for name in names {
        CFArrayAppendValue(list, Unmanaged.passUnretained(Library.name(of: self.real(name))).toOpaque())
      }
      askLibrary { CFRunLoopPerformBlock(real, list, run) }
    }
    traceModes(of: loop)
    return .none
  }
}
