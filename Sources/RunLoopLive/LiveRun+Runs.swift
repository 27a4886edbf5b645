@preconcurrency import CoreFoundation
import RunLoopEngine
import RunLoopScript

/// Runs of a loop, and the calls of the Foundation layer that are made of them.
extension LiveRun {
  /// A thread runs its own loop only.
  func running(_ loop: LoopID, _ body: (LiveLoop) -> OperationResult) -> OperationResult {
    let live = liveLoop(loop)
    return live.thread == current.id ? body(live) : .failure(.notCurrentLoop(loop))
  }

  /// CFRunLoopRunInMode.
  func run(
    _ loop: LiveLoop, _ mode: NameID, _ time: Nanoseconds, _ returnAfterSourceHandled: Bool
  ) -> RunResult {
    let thread = loop.thread
    session.simulation.post(.runEnter, thread, mode: mode) {
      $0.a = time
      $0.flags = returnAfterSourceHandled ? 1 : 0
    }
    let real = real(mode)
    let seconds = time == .distantFuture ? 1e10 : time == .distantPast ? -1e10 : clock.real(time)
    loop.runs.append(mode)
    let number = blocking(.loop(mode)) { CFRunLoopRunInMode(real, seconds, returnAfterSourceHandled) }
    loop.runs.removeLast()
    let result = RunResult(rawValue: Int64(number.rawValue)) ?? .finished
    session.simulation.post(.runExit, thread, mode: mode) { $0.a = result.rawValue }
    return result
  }

  /// A thread leaves its runs from inside: by an error, or since it ends itself.
  func abandonRuns(of thread: LiveThread, by outcome: LeftRunResult) {
    dropTaken(by: thread)
    guard let loop = loops[session.simulation.loop(of: thread.id)] else { return }
    while let mode = loop.runs.popLast() {
      session.simulation.post(.runExit, thread.id, mode: mode) { $0.a = outcome.rawValue }
    }
  }

  /// CFRunLoopRun, which is these runs.
  func runUntilStopped(_ loop: LiveLoop) -> RunResult {
    while true {
      let result = run(loop, .defaultMode, .distantFuture, false)
      if result == .stopped || result == .finished { return result }
    }
  }

  /// `runMode(_:before:)`: false for an empty mode.
  func run(_ loop: LiveLoop, _ mode: NameID, before date: Nanoseconds) -> Bool {
    if isEmpty(loop, mode) { return false }
    _ = run(loop, mode, timeLeft(until: date), true)
    return true
  }

  func timeLeft(until date: Nanoseconds) -> Nanoseconds {
    if date == .distantFuture || date == .distantPast { return date }
    return date - clock.now
  }

  func limitDate(_ loop: LiveLoop, _ mode: NameID) -> OperationResult {
    _ = run(loop, mode, -10_000_000_000, true)
    if isEmpty(loop, mode) { return .none }
    guard let real = loop.loop else { return .none }
    let mode = self.real(mode)
    let date = askLibrary { CFRunLoopGetNextTimerFireDate(real, mode) }
    return .date(date == 0 ? .distantFuture : clock.date(date))
  }

  private func isEmpty(_ loop: LiveLoop, _ mode: NameID) -> Bool {
    guard let loop = loop.loop else { return true }
    let mode = real(mode)
    return askLibrary { Library.isEmpty(loop, mode) }
  }

  // MARK: Modes

  /// A mode as the library has it.
  func real(_ mode: NameID) -> CFRunLoopMode {
    if let real = modes[mode] { return real }
    let real: CFRunLoopMode
    switch mode {
    case .defaultMode: real = Library.defaultMode
    case .commonModes: real = Library.commonModes
    default: real = Library.mode(CFStringCreateWithCString(nil, session.simulation.names[mode], encoding))
    }
    modes[mode] = real
    return real
  }

  /// The name of a mode that the library speaks of.
  func name(_ mode: CFRunLoopMode) -> NameID {
    let text = Library.name(of: mode)
    for (name, real) in modes where CFEqual(Library.name(of: real), text) { return name }
    if CFEqual(text, Library.name(of: Library.defaultMode)) { return .defaultMode }
    var bytes = [CChar](repeating: 0, count: 1024)
    CFStringGetCString(text, &bytes, bytes.count, encoding)
    return bytes.withUnsafeBufferPointer { session.simulation.names.intern(String(cString: $0.baseAddress!)) }
  }

  private var encoding: CFStringEncoding { 0x0800_0100 }

  // MARK: Activities

  /// Adds the observer that traces activities to the modes which have come into being.
  func traceModes(of loop: LiveLoop) {
    if loop.tracer == nil {
      var context = CFRunLoopObserverContext()
      context.info = CallbackInfo.make(self, loop.id.rawValue)
      loop.tracer = CFRunLoopObserverCreate(
        nil, CFOptionFlags(Activities.all.rawValue), true, CFIndex.min,
        { _, activity, info in
          let info = CallbackInfo.from(info)
          info.run.callback { _ in info.run.trace(LoopID(rawValue: info.id), activity) }
        }, &context)
    }
    guard let real = loop.loop, let modes = askLibrary({ CFRunLoopCopyAllModes(real) }) else { return }
    for index in 0..<CFArrayGetCount(modes) {
      guard let value = CFArrayGetValueAtIndex(modes, index) else { continue }
      let mode = Library.mode(Unmanaged<CFString>.fromOpaque(value).takeUnretainedValue())
      let name = name(mode)
      guard loop.tracedModes.insert(name).inserted else { continue }
      session.simulation.noteMode(name, of: loop.id)
      // A mode of that name cannot be run, and to add something to it is to add it to the common modes.
      if name == .commonModes { continue }
      let tracer = loop.tracer
      askLibrary { CFRunLoopAddObserver(real, tracer, mode) }
    }
  }

  /// Posts an activity.
  private func trace(_ loop: LoopID, _ activity: CFRunLoopActivity) {
    let kind: EventKind
    switch Activities(rawValue: UInt8(truncatingIfNeeded: Int(activity.rawValue))) {
    case .entry: kind = .entry
    case .beforeTimers: kind = .beforeTimers
    case .beforeSources: kind = .beforeSources
    case .beforeWaiting: kind = .beforeWaiting
    case .afterWaiting: kind = .afterWaiting
    default: kind = .exit
    }
    let live = liveLoop(loop)
    if kind == .beforeWaiting { live.waits.insert(live.runs.count) } else { live.waits.remove(live.runs.count) }
    switch kind {
    case .afterWaiting: takeMessage(live)
    case .beforeTimers, .exit: dropTaken(by: live)
    default: break
    }
    session.simulation.post(kind, live.thread, mode: live.mode) { $0.a = kind == .afterWaiting ? -1 : 0 }
  }
}

extension LiveRun {
  func isWaiting(_ loop: LiveLoop) -> Bool { loop.loop.map { CFRunLoopIsWaiting($0) } ?? false }
}
