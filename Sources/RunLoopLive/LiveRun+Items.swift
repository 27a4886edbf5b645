@preconcurrency import CoreFoundation
import RunLoopEngine
import RunLoopScript

/// Sources, ports, timers and observers: made, added, removed, asked.
extension LiveRun {
  // MARK: Making

  /// Makes the real objects of those that the script has made.
  package func objectsWereMade() {
    makeLoop()
    while sources.count < session.simulation.sourceCount { sources.append(makeSource(Int32(sources.count))) }
    while timers.count < session.simulation.timerCount { timers.append(makeTimer(Int32(timers.count))) }
    while observers.count < session.simulation.observerCount { observers.append(makeObserver(Int32(observers.count))) }
    while ports.count < session.simulation.portCount { ports.append(makePort(Int32(ports.count))) }
  }

  private func makeSource(_ id: Int32) -> CFRunLoopSource {
    var context = CFRunLoopSourceContext()
    context.info = CallbackInfo.make(self, id)
    context.perform = { info in
      let info = CallbackInfo.from(info)
      info.run.callback { info.run.perform(SourceID(rawValue: info.id), $0) }
    }
    context.schedule = { info, loop, mode in
      let info = CallbackInfo.from(info)
      info.run.callback { info.run.schedule(SourceID(rawValue: info.id), loop, mode, isCancel: false, $0) }
    }
    context.cancel = { info, loop, mode in
      let info = CallbackInfo.from(info)
      info.run.callback { info.run.schedule(SourceID(rawValue: info.id), loop, mode, isCancel: true, $0) }
    }
    let order = session.simulation.parts(of: SourceID(rawValue: id)).order
    return CFRunLoopSourceCreate(nil, CFIndex(order), &context)
  }

  private func makeTimer(_ id: Int32) -> LiveTimer {
    let parts = session.simulation.parts(of: TimerID(rawValue: id))
    var context = CFRunLoopTimerContext()
    context.info = CallbackInfo.make(self, id)
    let timer = CFRunLoopTimerCreate(
      nil, clock.absolute(parts.date), parts.interval * clock.scale, 0, CFIndex(parts.order),
      { _, info in
        let info = CallbackInfo.from(info)
        info.run.callback { info.run.fire(TimerID(rawValue: info.id), $0) }
      }, &context)
    return LiveTimer(timer: timer!, since: clock.now)
  }

  private func makeObserver(_ id: Int32) -> CFRunLoopObserver {
    let parts = session.simulation.parts(of: ObserverID(rawValue: id))
    var context = CFRunLoopObserverContext()
    context.info = CallbackInfo.make(self, id)
    return CFRunLoopObserverCreate(
      nil, CFOptionFlags(parts.activities.rawValue), parts.repeats, CFIndex(parts.order),
      { _, activity, info in
        let info = CallbackInfo.from(info)
        let value = Activities(rawValue: UInt8(truncatingIfNeeded: Int(activity.rawValue)))
        info.run.callback { info.run.observe(ObserverID(rawValue: info.id), value, $0) }
      }, &context)
  }

  private func makePort(_ id: Int32) -> LivePort {
    let channel = PortChannel()
    let info = Unmanaged.passRetained(PortInfo(channel) { [unowned self] in portIsReady(id) }).toOpaque()
    let order = session.simulation.parts(of: PortID(rawValue: id)).order
    return LivePort(source: channel.makeSource(order: order, info: info)!, channel: channel)
  }

  // MARK: Belonging to modes

  /// What an item is to the library.
  private enum RealItem {
    case source(CFRunLoopSource)
    case timer(CFRunLoopTimer)
    case observer(CFRunLoopObserver)
  }

  private func real(_ item: Item) -> RealItem {
    switch item {
    case .source(let source): .source(sources[Int(source.rawValue)])
    case .port(let port): .source(ports[Int(port.rawValue)].source)
    case .timer(let timer): .timer(timers[Int(timer.rawValue)].timer)
    case .observer(let observer): .observer(observers[Int(observer.rawValue)])
    }
  }

  /// The loop of a thread that has ended takes nothing, and the trace says so.
  func isGone(_ loop: LiveLoop, _ call: StaticString) -> Bool {
    guard loop.loop == nil else { return false }
    let other = session.simulation.names.intern("\(call)")
    session.simulation.post(
      .loopGone, current.id, subject: session.simulation.name(of: loop.thread), other: other)
    return true
  }

  func add(_ item: Item, _ loop: LiveLoop, _ mode: NameID) -> OperationResult {
    if isGone(loop, item.addingCall) { return .none }
    let (mode, real) = (self.real(mode), loop.loop)
    switch self.real(item) {
    case .source(let source): askLibrary { CFRunLoopAddSource(real, source, mode) }
    case .timer(let timer): askLibrary { CFRunLoopAddTimer(real, timer, mode) }
    case .observer(let observer): askLibrary { CFRunLoopAddObserver(real, observer, mode) }
    }
    traceModes(of: loop)
    return .none
  }

  func remove(_ item: Item, _ loop: LiveLoop, _ mode: NameID) -> OperationResult {
    if isGone(loop, item.removingCall) { return .none }
    let (mode, real) = (self.real(mode), loop.loop)
    switch self.real(item) {
    case .source(let source): askLibrary { CFRunLoopRemoveSource(real, source, mode) }
    case .timer(let timer): askLibrary { CFRunLoopRemoveTimer(real, timer, mode) }
    case .observer(let observer): askLibrary { CFRunLoopRemoveObserver(real, observer, mode) }
    }
    return .none
  }

  func contains(_ item: Item, _ loop: LiveLoop, _ mode: NameID) -> Bool {
    guard let loop = loop.loop else { return false }
    let mode = real(mode)
    switch real(item) {
    case .source(let source): return askLibrary { CFRunLoopContainsSource(loop, source, mode) }
    case .timer(let timer): return askLibrary { CFRunLoopContainsTimer(loop, timer, mode) }
    case .observer(let observer): return askLibrary { CFRunLoopContainsObserver(loop, observer, mode) }
    }
  }

  func invalidate(_ item: Item) -> OperationResult {
    switch real(item) {
    case .source(let source): askLibrary { CFRunLoopSourceInvalidate(source) }
    case .timer(let timer): askLibrary { CFRunLoopTimerInvalidate(timer) }
    case .observer(let observer): askLibrary { CFRunLoopObserverInvalidate(observer) }
    }
    if case .port(let port) = item { emptyInvalidPort(port) }
    session.simulation.note(item, isValid: false)
    return .none
  }

  /// Brings what the books say of an object up to date, before the script reads it.
  func refresh(_ kind: ObjectKind?, _ object: Int32) {
    let index = Int(object)
    switch kind {
    case .source where index < sources.count:
      let isValid = CFRunLoopSourceIsValid(sources[index])
      session.simulation.note(.source(SourceID(rawValue: object)), isValid: isValid)
    case .port where index < ports.count:
      let isValid = CFRunLoopSourceIsValid(ports[index].source)
      session.simulation.note(.port(PortID(rawValue: object)), isValid: isValid)
    case .observer where index < observers.count:
      let isValid = CFRunLoopObserverIsValid(observers[index])
      session.simulation.note(.observer(ObserverID(rawValue: object)), isValid: isValid)
    case .timer where index < timers.count: note(TimerID(rawValue: object))
    default: break
    }
  }

  func note(_ timer: TimerID) {
    let real = timers[Int(timer.rawValue)].timer
    let isValid = CFRunLoopTimerIsValid(real)
    session.simulation.note(
      timer, isValid: isValid, date: isValid ? clock.date(CFRunLoopTimerGetNextFireDate(real)) : 0)
  }
}
