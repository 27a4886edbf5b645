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
    queue(message, port)
    return .bool(true)
  }

  func isValid(_ port: PortID) -> Bool { CFRunLoopSourceIsValid(ports[Int(port.rawValue)].source) }

  func queue(_ message: LivePort.Message, _ port: PortID) {
    ports[Int(port.rawValue)].messages.append(message)
    ports[Int(port.rawValue)].notice()
  }

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

  /// The library has seen a port's channel.
  func portIsReady(_ id: Int32) {
    callback { thread in
      let port = PortID(rawValue: id)
      guard let message = ports[Int(id)].take() else { return }
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

  func invalidatePort(_ port: PortID) {
    let index = Int(port.rawValue)
    CFRunLoopSourceInvalidate(ports[index].source)
    let messages = ports[index].messages
    ports[index].messages = []
    for message in messages {
      session.release(message.value)
      if let request = message.request { session.simulation.dropRequest(request.record) }
    }
    abandonCallers(of: port)
    stateChanged()
  }
}
