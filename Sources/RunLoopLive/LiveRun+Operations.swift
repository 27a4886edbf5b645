@preconcurrency import CoreFoundation
import RunLoopEngine
import RunLoopScript

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What each operation is on the real thing.
extension LiveRun {
  package func perform(_ operation: Operation, at position: Position) -> OperationResult {
    switch operation {
    case .startThread(let thread): return start(thread, position)
    case .startDetached(let thread):
      _ = start(thread, position)
      return .thread(thread)
    case .join(let thread): return join(thread, position)
    case .detach(let thread): return detach(thread, position)
    case .cancelThread(let thread): return cancel(thread)
    case .sleep(let date):
      blocking(.sleep) { clock.sleep(until: date) }
      return .none
    case .work(let time):
      let date = clock.now.saturatingAdd(time)
      blocking(.work) { clock.sleep(until: date) }
      return .none
    case .yield:
      blocking(.running) { _ = sched_yield() }
      return .none
    case .exitThread(let value): return exit(value)
    case .threadState(let thread, let asked): return query(asked, thread)

    case .runInMode(let loop, let mode, let seconds, let returnAfterSourceHandled):
      return running(loop) { .run(run($0, mode, seconds, returnAfterSourceHandled)) }
    case .run(let loop): return running(loop) { .run(runUntilStopped($0)) }
    case .runMode(let loop, let mode, let date): return running(loop) { .bool(run($0, mode, before: date)) }
    case .runUntil(let loop, let date):
      return running(loop) {
        while run($0, .defaultMode, before: date), clock.now < date {}
        return .none
      }
    case .runForever(let loop):
      return running(loop) {
        while run($0, .defaultMode, before: .distantFuture) {}
        return .none
      }
    case .acceptInput(let loop, let mode, let date):
      return running(loop) {
        _ = run($0, mode, timeLeft(until: date), true)
        return .none
      }
    case .limitDate(let loop, let mode):
      guard liveLoop(loop).thread == current.id else { return .none }
      return running(loop) { limitDate($0, mode) }

    case .stop(let loop): return stop(liveLoop(loop))
    case .wakeUp(let loop): return wakeUp(liveLoop(loop))
    case .isWaiting(let loop): return .bool(isWaiting(liveLoop(loop)))
    case .currentMode(let loop): return .name(currentMode(liveLoop(loop)))
    case .addCommonMode(let loop, let mode): return addCommonMode(liveLoop(loop), mode)
    case .add(let item, let loop, let mode): return add(item, liveLoop(loop), mode)
    case .remove(let item, let loop, let mode): return remove(item, liveLoop(loop), mode)
    case .contains(let item, let loop, let mode): return .bool(contains(item, liveLoop(loop), mode))
    case .performBlock(let loop, let modes, let block): return performBlock(liveLoop(loop), modes, block)
    case .nextTimerFireDate(let loop, let mode):
      guard let real = liveLoop(loop).loop else { return .none }
      let mode = self.real(mode)
      let date = askLibrary { CFRunLoopGetNextTimerFireDate(real, mode) }
      return date == 0 ? .none : .date(clock.date(date))

    case .signal(let source):
      session.simulation.post(.sourceSignal, current.id, subject: session.simulation.name(of: source))
      CFRunLoopSourceSignal(sources[Int(source.rawValue)])
      return .none
    case .isSignalled(let source): return .bool(Library.isSignalled(sources[Int(source.rawValue)]))
    case .invalidate(let item): return invalidate(item)
    case .send(let port, let message, let text, let date, let replyTo):
      let bytes = session.simulation.bytes(of: text)
      return send(port, LivePort.Message(value: message, text: bytes, replyTo: replyTo), before: date)
    case .request(let asked): return request(asked)

    case .fireTimer(let timer): return fireByHand(timer)
    case .setNextFireDate(let timer, let date): return setNextFireDate(timer, date)
    case .setTolerance(let timer, let tolerance):
      CFRunLoopTimerSetTolerance(timers[Int(timer.rawValue)].timer, clock.real(tolerance))
      return .none

    case .mainQueueAsync(let block): return mainQueueAsync(block)
    case .mainQueueSync(let block): return mainQueueSync(block)
    case .mainQueueAfter(let delay, let block): return mainQueueAfter(delay, block)
    case .perform(let thread, let request): return perform(thread, request)
    case .performAfterDelay(let delay, let request): return performAfterDelay(delay, request)

    default:
      if let result = performOnLocks(operation) { return result }
      return keepBooks(operation, position)
    }
  }

  /// What concerns neither loops nor threads is done by the engine, where it is the same: memory, names, notifications.
  private func keepBooks(_ operation: Operation, _ position: Position) -> OperationResult {
    let thread = current.id
    switch operation {
    case .setPriority: note("thread priorities are stored and have no effect: the system schedules its threads itself")
    case .setStackSize:
      note("stack sizes are stored and have no effect: Lua and the library need more than a script asks")
    default: break
    }
    let step = session.simulation.perform(operation, on: thread, at: position)
    return follow(step, on: thread, for: String("\(operation)".prefix { $0 != "(" }))
  }

  // MARK: Loops

  func liveLoop(_ id: LoopID) -> LiveLoop {
    guard let loop = loops[id] else { fatalError("rlsim defect: a loop that its thread has not made") }
    return loop
  }

  /// The current thread's loop, made when the script has asked for it.
  func makeLoop() {
    let id = session.simulation.loop(of: current.id)
    guard !id.isNone, loops[id] == nil, let loop = CFRunLoopGetCurrent() else { return }
    let live = LiveLoop(id, current.id, loop)
    loops[id] = live
    loopsByAddress[Unmanaged.passUnretained(loop).toOpaque()] = live
    traceModes(of: live)
    attachPerforms(of: current, to: live)
  }

  private func stop(_ loop: LiveLoop) -> OperationResult {
    session.simulation.post(.loopStop, current.id, subject: session.simulation.name(of: loop.thread)) {
      $0.flags = loop.runs.isEmpty ? 1 : 0
    }
    if let real = loop.loop { askLibrary { CFRunLoopStop(real) } }
    return .none
  }

  private func wakeUp(_ loop: LiveLoop) -> OperationResult {
    session.simulation.post(.loopWakeUp, current.id, subject: session.simulation.name(of: loop.thread))
    if let real = loop.loop { askLibrary { CFRunLoopWakeUp(real) } }
    return .none
  }

  private func currentMode(_ loop: LiveLoop) -> NameID {
    guard let real = loop.loop, let mode = askLibrary({ CFRunLoopCopyCurrentMode(real) }) else { return .none }
    return name(mode)
  }

  private func addCommonMode(_ loop: LiveLoop, _ mode: NameID) -> OperationResult {
    if isGone(loop, "addCommonMode") { return .none }
    loop.commonModes.insert(mode)
    let (mode, real) = (self.real(mode), loop.loop)
    askLibrary { CFRunLoopAddCommonMode(real, mode) }
    traceModes(of: loop)
    return .none
  }
}
