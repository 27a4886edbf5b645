/// Message ports (CFMessagePort): ports whose messages have a number, and may be answered.
///
/// The local end is a port of its loop. A caller who wants a reply runs its own loop in a mode of its choice, which holds
/// a port for the reply meanwhile (CFMessagePortSendRequest).
extension System {
  /// Makes the local end of a message port.
  mutating func makeMessagePort(name: NameID, receive: HostValue) -> PortID {
    touch(.names, 0)
    let port = makePort(name: name, order: 0, capacity: 5, receive: receive)
    let text = names[name]
    ports[port.index].service = names.intern(text)
    ports[port.index].replyName = names.add(text + ".reply")
    return port
  }

  /// The valid message port of an interned name; `none` when there is none.
  mutating func messagePort(named name: NameID) -> PortID {
    for port in ports.indices where ports[port].service == name && ports[port].isValid { return PortID(port) }
    return .none
  }

  // MARK: The caller

  /// `remotePort:request(id, data, options)`.
  mutating func request(_ asked: MessageRequest, _ thread: Int32, _ position: Position) -> Step {
    tick &+= 1
    let port = asked.port.rawValue
    guard ports[Int(port)].isValid else {
      release(asked.data)
      return .result(.refused(.invalid))
    }
    guard threads[Int(thread)].depth < configuration.maximumDepth else {
      release(asked.data)
      return .result(.failure(.nestedTooDeep(configuration.maximumDepth)))
    }
    let room = hasRoom(port)
    if !room { post(.portFull, thread, subject: ports[Int(port)].name) }
    guard room || asked.sendTimeout > 0 else {
      release(asked.data)
      return .result(.refused(.sendTimeout))
    }
    let request = makeRequest(
      RequestRecord(
        port: port, caller: thread, id: asked.id, mode: asked.replyMode, receiveTimeout: asked.receiveTimeout))
    if !asked.replyMode.isNone { requests[Int(request)].replyPort = makeReplyPort(port) }
    var message = Message(value: asked.data, text: Array(textBytes(asked.text)), replyTo: -1)
    message.request = request
    let frame = push(.request, on: thread, fromHost: true)
    frames[frame].item = request
    frames[frame].position = position
    guard !room else {
      enqueue(message, port, thread)
      return advance(thread)
    }
    frames[frame].step = 1
    waitForRoom(message, port, until: now.saturatingAdd(asked.sendTimeout), thread, position, fromHost: false)
    return giveWay(thread) ? advance(thread) : .parked
  }

  mutating func stepRequest(_ frame: Int, _ thread: Int32) -> Flow {
    let request = frames[frame].item
    let index = Int(request)
    switch frames[frame].step {
    case 1:
      // The wait for room is over.
      frames[frame].step = 0
      guard case .bool(true) = result else {
        let isValid = ports[Int(requests[index].port)].isValid
        endRequest(request, .refused(isValid ? .sendTimeout : .invalid))
        return .done
      }
      return .again
    case 0:
      // The message is queued.
      guard !requests[index].mode.isNone else {
        endRequest(request, .none)
        return .done
      }
      frames[frame].step = 2
      frames[frame].deadline = now.saturatingAdd(requests[index].receiveTimeout)
      frames[frame].loop = currentLoop(of: ThreadID(rawValue: thread)).rawValue
      insertPort(requests[index].replyPort, makeMode(frames[frame].loop, requests[index].mode))
    default:
      // A run of the loop has ended, whyever.
      if requests[index].isReceived, requests[index].state == .replied {
        endRequest(request, .results(requests[index].reply))
        return .done
      }
      if requests[index].state == .dead {
        endRequest(request, .refused(.becameInvalid))
        return .done
      }
      if frames[frame].deadline <= now {
        endRequest(request, .refused(.receiveTimeout))
        return .done
      }
    }
    let deadline = frames[frame].deadline
    let seconds = deadline == .distantFuture ? deadline : deadline - now
    let flow = beginRun(frames[frame].loop, requests[index].mode, seconds, true, thread, fromHost: false)
    return flow == .done ? .again : flow
  }

  private mutating func endRequest(_ request: Int32, _ outcome: OperationResult) {
    if case .results = outcome { requests[Int(request)].reply = .none }
    leaveRequest(request)
    result = outcome
  }

  /// The caller goes on, or is gone: its reply port leaves its loop.
  private mutating func leaveRequest(_ request: Int32) {
    requests[Int(request)].isAbandoned = true
    let reply = requests[Int(request)].replyPort
    requests[Int(request)].replyPort = -1
    if reply >= 0 {
      for mode in ports[Int(reply)].modes { removePort(reply, mode) }
      ports[Int(reply)].messages.removeAll()
      freeReplyPorts.append(reply)
    }
    dropRequest(request)
  }

  mutating func abandonRequest(_ frame: Int) { leaveRequest(frames[frame].item) }

  // MARK: The local end

  /// The local end's callback has returned.
  mutating func answer(_ request: Int32, _ value: HostValue, _ thread: Int32) {
    let index = Int(request)
    guard !requests[index].mode.isNone else {
      release(value)
      dropRequest(request)
      return
    }
    // Whether the caller still waits, and that it has its reply now.
    touch(.loop, requests[index].caller)
    let isLost = requests[index].isAbandoned || requests[index].state != .waiting
    postMessage(.messageReply, request, thread, isLost: isLost)
    if isLost {
      release(value)
    } else {
      requests[index].reply = value
      requests[index].state = .replied
      wakeCaller(request)
    }
    dropRequest(request)
  }

  /// A message port is gone: who waits for its reply is told.
  mutating func abandonCallers(of port: Int32) {
    guard !ports[Int(port)].service.isNone else { return }
    for request in requests.indices where requests[request].port == port && requests[request].holders > 0 {
      guard requests[request].replyPort >= 0, requests[request].state == .waiting else { continue }
      requests[request].state = .dead
      wakeCaller(Int32(request))
    }
  }

  private mutating func wakeCaller(_ request: Int32) {
    touch(.loop, requests[Int(request)].caller)
    let port = requests[Int(request)].replyPort
    var message = Message(value: .none, text: [], replyTo: -1)
    message.request = request
    message.isReply = true
    ports[Int(port)].messages.append(message)
    for mode in ports[Int(port)].modes { becameReady(port, mode) }
  }

  /// Posts an event about a request.
  mutating func postMessage(
    _ kind: EventKind, _ request: Int32, _ thread: Int32, text: [UInt8] = [], isLost: Bool = false
  ) {
    guard traces(.port) else { return }
    let range = addText(text)
    var event = event(kind, thread)
    event.subject = ports[Int(requests[Int(request)].port)].name
    event.a = requests[Int(request)].id
    event.flags = isLost ? 1 : 0
    event.textStart = range.start
    event.textLength = range.length
    events.append(event)
  }

  // MARK: Records

  mutating func makeRequest(_ record: RequestRecord) -> Int32 {
    if freeRequest >= 0 {
      let request = freeRequest
      freeRequest = requests[Int(request)].next
      requests[Int(request)] = record
      return request
    }
    requests.append(record)
    return Int32(requests.count - 1)
  }

  /// One of those who need a request does no more.
  mutating func dropRequest(_ request: Int32) {
    let index = Int(request)
    requests[index].holders -= 1
    guard requests[index].holders == 0 else { return }
    release(requests[index].reply)
    requests[index].reply = .none
    requests[index].next = freeRequest
    freeRequest = request
  }

  private mutating func makeReplyPort(_ port: Int32) -> Int32 {
    let name = ports[Int(port)].replyName
    let reply = freeReplyPorts.popLast() ?? makePort(name: name, order: 0, capacity: 1, receive: .none).rawValue
    ports[Int(reply)].name = name
    return reply
  }

  // MARK: The port server

  /// `rl.portServer:register(name, port)`: false when a valid port has the name.
  mutating func registerPort(_ name: NameID, _ port: PortID) -> Step {
    tick &+= 1
    guard ports[port.index].isValid, registeredPort(name).isNone else { return .result(.bool(false)) }
    portNames.removeAll { $0.name == name }
    portNames.append((name, port))
    return .result(.bool(true))
  }

  /// The valid port of an interned name; `none` when there is none.
  func registeredPort(_ name: NameID) -> PortID {
    for entry in portNames where entry.name == name && ports[entry.port.index].isValid { return entry.port }
    return .none
  }

  mutating func unregisterPort(_ name: NameID) -> Step {
    tick &+= 1
    let wasThere = !registeredPort(name).isNone
    portNames.removeAll { $0.name == name }
    return .result(.bool(wasThere))
  }
}

/// A request to a message port, as a script makes it.
public struct MessageRequest: Equatable, Sendable {
  public var port: PortID
  public var id: Int64
  public var data: HostValue
  public var text: TextRange
  public var sendTimeout: Nanoseconds
  public var receiveTimeout: Nanoseconds
  /// The mode in which the caller waits; `none`: it wants no reply.
  public var replyMode: NameID
  public init(
    port: PortID, id: Int64, data: HostValue, text: TextRange, sendTimeout: Nanoseconds, receiveTimeout: Nanoseconds,
    replyMode: NameID
  ) {
    self.port = port
    self.id = id
    self.data = data
    self.text = text
    self.sendTimeout = sendTimeout
    self.receiveTimeout = receiveTimeout
    self.replyMode = replyMode
  }
}

/// Why a request got no reply (kCFMessagePortSendTimeout and its like).
public enum RequestRefusal: Equatable, Sendable {
  case sendTimeout, receiveTimeout
  /// The port was invalid before the message was sent.
  case invalid
  /// The port became invalid before it replied.
  case becameInvalid
}
