@preconcurrency import CoreFoundation
import RunLoopEngine
import RunLoopScript

/// Ports: sources of version 1 whose messages are kept beside their channels.
extension LiveRun {
  /// `port:send`.
  func send(_ port: PortID, _ message: LivePort.Message, before date: Nanoseconds) -> OperationResult {
    guard hasRoom(port, before: date), isValid(port) else {
      session.release(message.value)
      return .bool(false)
    }
    session.simulation.post(
      .portSend, current.id, subject: session.simulation.name(of: port), text: message.text)
    ports[Int(port.rawValue)].send(message)
    return .bool(true)
  }

  func isValid(_ port: PortID) -> Bool { CFRunLoopSourceIsValid(ports[Int(port.rawValue)].source) }

  /// Waits until a port has room, as a Mach port does; on Linux it always has. True also for one that is invalid.
  func hasRoom(_ port: PortID, before date: Nanoseconds) -> Bool {
    guard Self.profile != .linux else { return true }
    let capacity = session.simulation.parts(of: port).capacity
    func isFree() -> Bool { !isValid(port) || ports[Int(port.rawValue)].messages.count < capacity }
    if isFree() { return true }
    let name = session.simulation.name(of: port)
    session.simulation.post(.portFull, current.id, subject: name)
    return wait(.room(name), before: date, until: isFree)
  }

  // MARK: Receiving

  /// The run of a thread that is innermost.
  private func run(of thread: ThreadID) -> LivePort.Run {
    LivePort.Run(thread: thread, depth: loops[session.simulation.loop(of: thread)]?.runs.count ?? 0)
  }

  /// A wait is over, and no observer of the script was told yet: takes the message that has ended it, if one has.
  func takeMessage(_ loop: LiveLoop) {
    dropTaken(by: loop)
    guard let real = loop.loop, let mode = loop.runs.last.map(real(_:)) else { return }
    for index in ports.indices where !ports[index].messages.isEmpty {
      let source = ports[index].source
      guard askLibrary({ CFRunLoopContainsSource(real, source, mode) }), ports[index].take(for: run(of: loop.thread))
      else { continue }
      return stateChanged()
    }
  }

  /// The innermost run of a loop goes on: what its wait had taken was not received, and is lost, as in the library.
  func dropTaken(by loop: LiveLoop) {
    let run = run(of: loop.thread)
    for index in ports.indices { drop(ports[index].dropTaken { $0 == run }) }
  }

  /// The thread has left its runs.
  func dropTaken(by thread: LiveThread) {
    for index in ports.indices { drop(ports[index].dropTaken { $0.thread == thread.id }) }
  }

  private func drop(_ messages: [LivePort.Message]) {
    for message in messages {
      session.release(message.value)
      if let request = message.request { session.simulation.dropRequest(request.record) }
    }
  }

  /// The library calls a port's source.
  func portIsReady(_ id: Int32) {
    callback { thread in
      let port = PortID(rawValue: id)
      guard let message = ports[Int(id)].receive(for: run(of: thread.id)) else { return }
      stateChanged()
      if let request = message.request { return receive(request, message, port, thread) }
      session.simulation.post(.port, thread.id, subject: session.simulation.name(of: port), text: message.text)
      var callout = Callout(of: .port, session.simulation.parts(of: port).receive, object: id)
      if callout.callback == .none { return session.release(message.value) }
      callout.value = message.value
      let outer = session.simulation.exchangeReplyPort(of: port, message.replyTo)
      callFromLoop(callout)
      _ = session.simulation.exchangeReplyPort(of: port, outer)
    }
  }

  /// The port was invalidated: what was sent to it is lost.
  func emptyInvalidPort(_ port: PortID) {
    drop(ports[Int(port.rawValue)].dropAll())
    abandonCallers(of: port)
    stateChanged()
  }
}
