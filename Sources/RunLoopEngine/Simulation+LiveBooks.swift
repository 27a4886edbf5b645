/// For a host that carries out the operations itself: what the engine does by itself around a thread's life and its
/// callouts, as steps that the host follows. nil: there is nothing to do.
extension Simulation {
  // MARK: Threads

  /// A thread is about to start, on behalf of another one: before the first the observers of `willBecomeMultiThreaded`
  /// are told.
  package mutating func willStartThread(on thread: ThreadID) -> Step? {
    guard !shared.pointee.isMultiThreaded else { return nil }
    own.pointee.isMultiThreaded = true
    return post(.willBecomeMultiThreaded, .any, thread)
  }

  /// A thread has run its entry, and its pools were drained: the observers of `threadWillExit` are told. The main
  /// thread ends with the process, which is no news.
  package mutating func willEnd(_ thread: ThreadID) -> Step? {
    thread == .main ? nil : post(.threadWillExit, .thread(thread), thread)
  }

  private mutating func post(_ name: NameID, _ sender: NotificationSender, _ thread: ThreadID) -> Step? {
    guard own.pointee.beginPost(name, sender, .none, thread.rawValue, fromHost: true) else { return nil }
    return own.pointee.advance(thread.rawValue)
  }

  // MARK: Autorelease pools

  /// Drains all pools of a thread.
  package mutating func drainPools(of thread: ThreadID) -> Step? {
    guard shared.pointee.threads[thread.index].pool >= 0 else { return nil }
    own.pointee.beginDrain(from: 0, thread.rawValue, fromHost: true)
    return own.pointee.advance(thread.rawValue)
  }

  /// A run loop calls out on a thread: what is autoreleased from here on belongs to the callout's own pool.
  package mutating func beginCallout(on thread: ThreadID) {
    own.pointee.push(.notification, on: thread.rawValue, fromHost: true)
  }

  /// The callout has returned: its pool is drained.
  package mutating func drainCalloutPool(on thread: ThreadID) -> Step? {
    let height = own.pointee.calloutPoolHeight(thread.rawValue)
    guard height < .max else { return nil }
    own.pointee.beginDrain(from: height, thread.rawValue, fromHost: true)
    return own.pointee.advance(thread.rawValue)
  }

  /// The callout is over.
  package mutating func endCallout(on thread: ThreadID) { own.pointee.pop(thread.rawValue) }

  // MARK: Requests

  /// Notes a request to a message port, for the callout that carries it: its `object`.
  package mutating func makeRequest(_ asked: MessageRequest) -> Int32 {
    var record = RequestRecord(
      port: asked.port.rawValue, caller: -1, id: asked.id, mode: asked.replyMode, receiveTimeout: asked.receiveTimeout)
    record.holders = 1
    return own.pointee.makeRequest(record)
  }

  /// The request's callout is over, or will never be.
  package mutating func dropRequest(_ request: Int32) { own.pointee.dropRequest(request) }

  // MARK: The machine

  /// Whether the script has asked for a machine that only a simulation can be.
  package var isMachineSimulated: Bool {
    let plain = Configuration()
    let asked = shared.pointee.configuration
    return asked.cores != plain.cores || asked.quantum != plain.quantum
      || asked.spuriousWakeups != plain.spuriousWakeups
  }
}
