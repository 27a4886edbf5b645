@preconcurrency import CoreFoundation
import RunLoopEngine
import RunLoopScript

/// A request to a message port, between its caller and the local end.
final class LiveRequest {
  enum State { case waiting, replied, dead }

  /// In the books, for the callout.
  let record: Int32
  let port: PortID
  let id: Int64
  /// Whether a reply is wanted.
  let wantsReply: Bool
  var state = State.waiting
  var reply = HostValue.none
  /// The caller's loop has taken the reply.
  var isReceived = false
  /// The caller waits no longer.
  var isAbandoned = false
  /// What wakes the caller's loop.
  var channel: PortChannel?

  init(_ record: Int32, _ asked: MessageRequest) {
    self.record = record
    port = asked.port
    id = asked.id
    wantsReply = !asked.replyMode.isNone
  }
}

/// Message ports. The library has CFMessagePort on Apple's platforms only; here it is made of what CFMessagePort is made
/// of: the local end is a version-1 source, and a caller who wants a reply runs its loop in a mode that holds one more.
extension LiveRun {
  /// CFMessagePortSendRequest.
  func request(_ asked: MessageRequest) -> OperationResult {
    let text = session.simulation.bytes(of: asked.text)
    guard isValid(asked.port) else {
      session.release(asked.data)
      return .refused(.invalid)
    }
    let sendBefore = clock.now.saturatingAdd(asked.sendTimeout)
    guard hasRoom(asked.port, before: sendBefore), isValid(asked.port) else {
      session.release(asked.data)
      return .refused(isValid(asked.port) ? .sendTimeout : .invalid)
    }
    let request = LiveRequest(session.simulation.makeRequest(asked), asked)
    post(.messageSend, request, text: text)
    let message = LivePort.Message(value: asked.data, text: text, replyTo: .none, request: request)
    guard request.wantsReply else {
      ports[Int(asked.port.rawValue)].send(message)
      return .none
    }
    _ = session.simulation.currentLoop(of: current.id)
    makeLoop()
    requests.append(request)
    let end = receive(request, message, asked)
    requests.removeAll { $0 === request }
    return end
  }

  /// Sends the message, and runs the caller's loop until the reply has come.
  private func receive(
    _ request: LiveRequest, _ message: LivePort.Message, _ asked: MessageRequest
  ) -> OperationResult {
    let loop = liveLoop(session.simulation.loop(of: current.id))
    let channel = PortChannel()
    request.channel = channel
    let info = PortInfo(channel) { [self] in callback { _ in request.isReceived = true } }
    let handed = Unmanaged.passRetained(info)
    defer { handed.release() }
    guard let source = channel.makeSource(order: 0, info: handed.toOpaque()) else { return .refused(.invalid) }
    let (mode, real) = (self.real(asked.replyMode), loop.loop)
    askLibrary { CFRunLoopAddSource(real, source, mode) }
    traceModes(of: loop)
    ports[Int(asked.port.rawValue)].send(message)
    let deadline = clock.now.saturatingAdd(asked.receiveTimeout)
    var outcome: OperationResult?
    while outcome == nil {
      _ = run(loop, asked.replyMode, timeLeft(until: deadline), true)
      if request.state == .replied, request.isReceived {
        outcome = .results(request.reply)
      } else if request.state == .dead {
        outcome = .refused(.becameInvalid)
      } else if deadline <= clock.now {
        outcome = .refused(.receiveTimeout)
        session.release(request.reply)
      }
    }
    request.isAbandoned = true
    askLibrary { CFRunLoopSourceInvalidate(source) }
    request.channel = nil
    channel.close()
    return outcome ?? .none
  }

  /// The local end has a message: its callback's result is the reply.
  func receive(_ request: LiveRequest, _ message: LivePort.Message, _ port: PortID, _ thread: LiveThread) {
    post(.message, request, text: message.text)
    var callout = Callout(of: .message, session.simulation.parts(of: port).receive, object: request.record)
    callout.value = message.value
    if callout.callback == .none { session.release(message.value) }
    let reply = callFromLoop(callout)
    session.simulation.dropRequest(request.record)
    guard request.wantsReply else { return session.release(reply) }
    let isLost = request.isAbandoned || request.state != .waiting
    post(.messageReply, request, isLost: isLost)
    guard !isLost else { return session.release(reply) }
    request.reply = reply
    request.state = .replied
    request.channel?.notice()
  }

  /// A message port is gone: who waits for its reply is told.
  func abandonCallers(of port: PortID) {
    for request in requests where request.port == port && request.state == .waiting {
      request.state = .dead
      request.channel?.notice()
    }
  }

  private func post(_ kind: EventKind, _ request: LiveRequest, text: [UInt8] = [], isLost: Bool = false) {
    session.simulation.post(
      kind, current.id, subject: session.simulation.name(of: request.port), text: text
    ) {
      $0.a = request.id
      $0.flags = isLost ? 1 : 0
    }
  }
}
