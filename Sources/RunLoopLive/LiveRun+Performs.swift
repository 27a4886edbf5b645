@preconcurrency import CoreFoundation
import Dispatch
import RunLoopEngine
import RunLoopScript

/// The requests of other threads that wait for a thread's run loop, and the source that stands for them: the library
/// has no `performSelector:onThread:`, so it is made here of what it has, as the Foundation layer would.
struct PerformQueue {
  final class Request {
    let request: PerformRequest
    let modes: [NameID]
    let from: ThreadID
    var isBegun = false
    var isDone = false
    var isDropped = false

    init(_ request: PerformRequest, _ modes: [NameID], _ from: ThreadID) {
      self.request = request
      self.modes = modes
      self.from = from
    }
  }

  var pending: [Request] = []
  /// Those that are being carried out, or will be in the same callback.
  var underWay: [Request] = []
  var source: CFRunLoopSource?
}

/// A block of the main queue that another thread waits for; under the run's lock.
private final class SyncCall: @unchecked Sendable {
  var isBegun = false
  var isDone = false
}

extension LiveRun {
  // MARK: Asking

  func perform(_ id: ThreadID, _ request: PerformRequest) -> OperationResult {
    let target = liveThread(id)
    let me = current
    if target === me, request.wait {
      session.simulation.post(.perform, me.id, subject: request.name)
      call(callout(of: request))
      giveUp(request)
      return .none
    }
    if target.hasEnded {
      session.simulation.post(.performDrop, me.id, subject: request.name, other: session.simulation.name(of: id))
      giveUp(request)
      return request.wait ? .failure(.targetThreadHadExited(id, target.endTime)) : .none
    }
    let pending = PerformQueue.Request(request, session.simulation.modeNames(in: request.modes), me.id)
    target.performs.pending.append(pending)
    // A thread that has no loop yet finds its requests when it makes one.
    if let loop = loops[session.simulation.loop(of: id)] { attachPerforms(of: target, to: loop) }
    guard request.wait else { return .none }
    _ = wait(.perform(id)) { pending.isDone || pending.isDropped }
    return pending.isDone ? .none : .failure(.targetThreadExited(id))
  }

  /// Puts the source that stands for the pending requests into their modes, and signals it.
  func attachPerforms(of thread: LiveThread, to loop: LiveLoop) {
    guard loop.loop != nil, !thread.performs.pending.isEmpty else { return }
    if thread.performs.source == nil {
      var context = CFRunLoopSourceContext()
      context.info = CallbackInfo.make(self, thread.id.rawValue)
      context.perform = { info in
        let info = CallbackInfo.from(info)
        info.run.callback { info.run.carryOutPerforms($0) }
      }
      thread.performs.source = CFRunLoopSourceCreate(nil, 0, &context)
    }
    let (source, real) = (thread.performs.source, loop.loop)
    addPerforms(of: thread, to: loop)
    traceModes(of: loop)
    CFRunLoopSourceSignal(source)
    askLibrary { CFRunLoopWakeUp(real) }
  }

  private func addPerforms(of thread: LiveThread, to loop: LiveLoop) {
    let (source, real) = (thread.performs.source, loop.loop)
    for mode in thread.performs.pending.flatMap(\.modes) {
      let mode = self.real(mode)
      askLibrary { CFRunLoopAddSource(real, source, mode) }
    }
  }

  // MARK: Carrying out

  private func carryOutPerforms(_ thread: LiveThread) {
    guard let loop = loops[session.simulation.loop(of: thread.id)] else { return }
    let mode = loop.mode
    func isFor(_ request: PerformQueue.Request) -> Bool {
      request.modes.contains { $0 == mode || ($0 == .commonModes && loop.commonModes.contains(mode)) }
    }
    let batch = thread.performs.pending.filter(isFor)
    thread.performs.pending.removeAll(where: isFor)
    detachPerforms(of: thread, from: loop)
    thread.performs.underWay += batch
    for pending in batch {
      pending.isBegun = true
      session.simulation.post(.perform, thread.id, subject: pending.request.name) {
        if pending.from != thread.id { $0.other = session.simulation.name(of: pending.from) }
      }
      callFromLoop(callout(of: pending.request))
      giveUp(pending.request)
      pending.isDone = true
      thread.performs.underWay.removeAll { $0 === pending }
      stateChanged()
    }
  }

  /// Takes the source out of the modes for which nothing is pending any more.
  private func detachPerforms(of thread: LiveThread, from loop: LiveLoop) {
    let (source, real) = (thread.performs.source, loop.loop)
    askLibrary { CFRunLoopRemoveSource(real, source, Library.commonModes) }
    for mode in loop.tracedModes {
      let mode = self.real(mode)
      askLibrary { CFRunLoopRemoveSource(real, source, mode) }
    }
    guard !thread.performs.pending.isEmpty else { return }
    addPerforms(of: thread, to: loop)
    CFRunLoopSourceSignal(source)
  }

  private func callout(of request: PerformRequest) -> Callout {
    var callout = Callout(of: .perform, request.callback)
    callout.value = request.argument
    return callout
  }

  private func giveUp(_ request: PerformRequest) {
    session.release(request.callback)
    session.release(request.argument)
  }

  /// The thread ends: who waits for it is told.
  func dropPerforms(of thread: LiveThread) {
    for request in thread.performs.underWay + thread.performs.pending {
      // The one in whose function it ended itself has begun, and its caller waits in vain all the same.
      if !request.isBegun {
        session.simulation.post(.performDrop, thread.id, subject: request.request.name)
        giveUp(request.request)
      }
      request.isDropped = true
    }
    thread.performs.underWay = []
    thread.performs.pending = []
  }

  // MARK: After a delay

  func performAfterDelay(_ delay: Nanoseconds, _ request: PerformRequest) -> OperationResult {
    _ = session.simulation.currentLoop(of: current.id)
    makeLoop()
    let loop = liveLoop(session.simulation.loop(of: current.id))
    let timer = session.simulation.makeDelayedPerform(delay, request, loop.id)
    objectsWereMade()
    let (added, real) = (timers[Int(timer.rawValue)].timer, loop.loop)
    for mode in session.simulation.modeNames(in: request.modes) {
      let mode = self.real(mode)
      askLibrary { CFRunLoopAddTimer(real, added, mode) }
    }
    traceModes(of: loop)
    return .none
  }

  // MARK: The main queue

  func mainQueueAsync(_ block: HostValue) -> OperationResult {
    DispatchQueue.main.async { self.runQueued(block) }
    return .none
  }

  func mainQueueSync(_ block: HostValue) -> OperationResult {
    if current.id == .main {
      session.release(block)
      return .failure(.syncOnMainThread)
    }
    let call = SyncCall()
    // Another thread waits in the library: this one is told when the main thread ends itself in the block.
    DispatchQueue.global().async { DispatchQueue.main.sync { self.runQueued(block, call) } }
    let main = liveThread(.main)
    _ = wait(.mainQueue) { call.isDone || (call.isBegun && main.runsNoMore) }
    return call.isDone ? .none : .failure(.targetThreadExited(.main))
  }

  func mainQueueAfter(_ delay: Nanoseconds, _ block: HostValue) -> OperationResult {
    if delay == .distantFuture { return .none }
    if delay <= 0 { return mainQueueAsync(block) }
    DispatchQueue.main.asyncAfter(deadline: .now() + clock.real(delay)) { self.runQueued(block) }
    return .none
  }

  private func runQueued(_ block: HostValue, _ call: SyncCall? = nil) {
    callback { thread in
      call?.isBegun = true
      session.simulation.post(.queue, thread.id, subject: .mainThread)
      callFromLoop(Callout(of: .block, block))
      guard let call else { return }
      call.isDone = true
      stateChanged()
    }
  }
}
