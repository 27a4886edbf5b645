@preconcurrency import CoreFoundation
import RunLoopEngine
import RunLoopScript

/// What the library calls, and what follows: an event, and a call of the script's function.
extension LiveRun {
  // MARK: Sources

  func perform(_ source: SourceID, _ thread: LiveThread) {
    let parts = session.simulation.parts(of: source)
    session.simulation.post(.source, thread.id, subject: parts.name)
    call(Callout(of: .source, parts.perform, object: source.rawValue))
  }

  func schedule(_ source: SourceID, _ loop: CFRunLoop?, _ mode: CFString?, isCancel: Bool, _ thread: LiveThread) {
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
    call(callout)
    if isDying { live.loop = nil }
  }

  // MARK: Ports

  func send(_ port: PortID, _ message: LivePort.Message) -> OperationResult {
    let index = Int(port.rawValue)
    guard CFRunLoopSourceIsValid(ports[index].source) else {
      session.release(message.value)
      return .bool(false)
    }
    session.simulation.post(
      .portSend, current.id, subject: session.simulation.name(of: port), text: message.text)
    ports[index].messages.append(message)
    ports[index].channel.notice()
    return .bool(true)
  }

  /// The library has seen a port's channel.
  func portIsReady(_ id: Int32) {
    callback { thread in
      let port = PortID(rawValue: id)
      let index = Int(id)
      guard !ports[index].messages.isEmpty else { return }
      let message = ports[index].messages.removeFirst()
      if !ports[index].messages.isEmpty { ports[index].channel.notice() }
      session.simulation.post(.port, thread.id, subject: session.simulation.name(of: port), text: message.text)
      var callout = Callout(of: .port, session.simulation.parts(of: port).receive, object: id)
      if callout.callback == .none { return session.release(message.value) }
      callout.value = message.value
      let outer = session.simulation.exchangeReplyPort(of: port, message.replyTo)
      call(callout)
      _ = session.simulation.exchangeReplyPort(of: port, outer)
    }
  }

  // MARK: Timers

  func fire(_ timer: TimerID, _ thread: LiveThread) {
    let index = Int(timer.rawValue)
    let parts = session.simulation.parts(of: timer)
    let scheduled = max(clock.date(CFRunLoopTimerGetNextFireDate(timers[index].timer)), timers[index].since)
    let passed = parts.period > 0 ? max(0, clock.now - scheduled) / parts.period : 0
    var missed = passed
    if let last = timers[index].last, parts.period > 0 {
      // Points that passed while the callback before ran.
      let steps = Double(scheduled - last.scheduled) / Double(parts.period)
      missed += max(0, Int64(steps.rounded()) - 1 - last.passed)
    }
    timers[index].last = (scheduled, passed)
    report(timer, scheduled, missed, thread)
  }

  /// `timer:fire()`, as the Foundation layer does it.
  func fireByHand(_ timer: TimerID) -> OperationResult {
    let real = timers[Int(timer.rawValue)].timer
    guard CFRunLoopTimerIsValid(real) else { return .none }
    report(timer, clock.now, 0, current)
    if session.simulation.parts(of: timer).interval <= 0 { CFRunLoopTimerInvalidate(real) }
    return .none
  }

  private func report(_ timer: TimerID, _ scheduled: Nanoseconds, _ missed: Int64, _ thread: LiveThread) {
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
    call(callout)
  }

  // MARK: Observers

  func observe(_ observer: ObserverID, _ activity: Activities, _ thread: LiveThread) {
    let parts = session.simulation.parts(of: observer)
    session.simulation.post(.observer, thread.id, subject: parts.name) { $0.a = Int64(activity.rawValue) }
    var callout = Callout(of: .observer, parts.handler, object: observer.rawValue)
    callout.activity = activity
    callout.loop = session.simulation.loop(of: thread.id)
    call(callout)
  }

  // MARK: Blocks

  func performBlock(_ loop: LiveLoop, _ modes: ModeList, _ block: HostValue) -> OperationResult {
    if isGone(loop, "performBlock") {
      session.release(block)
      return .none
    }
    let names = session.simulation.modeNames(in: modes)
    let run = { [self] in
      callback { thread in
        session.simulation.post(.block, thread.id, mode: currentMode(loop))
        call(Callout(of: .block, block))
      }
    }
    if names.count == 1 {
      CFRunLoopPerformBlock(loop.loop, string(names[0]), run)
    } else {
      var callbacks = kCFTypeArrayCallBacks
      let list = CFArrayCreateMutable(nil, 0, &callbacks)
      for name in names { CFArrayAppendValue(list, Unmanaged.passUnretained(string(name)).toOpaque()) }
      CFRunLoopPerformBlock(loop.loop, list, run)
    }
    traceModes(of: loop)
    return .none
  }
}
