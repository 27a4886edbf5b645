/// Ports: sources of version 1 with bounded queues (semantics 2.4).

extension System {
  // MARK: Sending

  /// `port:send(message)`: queues it, or waits for room until `before`.
  mutating func send(
    _ port: Int32, _ message: Message, until date: Nanoseconds, _ thread: Int32, _ position: Position
  ) -> Step {
    tick &+= 1
    guard ports[Int(port)].isValid else { return refuse(message) }
    if hasRoom(port) {
      enqueue(message, port, thread)
      return .result(.bool(true))
    }
    post(.portFull, thread, subject: ports[Int(port)].name)
    guard date > now else { return refuse(message) }
    waitForRoom(message, port, until: date, thread, position, fromHost: true)
    return giveWay(thread) ? advance(thread) : .parked
  }

  /// Blocks a sender.
  mutating func waitForRoom(
    _ message: Message, _ port: Int32, until date: Nanoseconds, _ thread: Int32, _ position: Position, fromHost: Bool
  ) {
    let frame = push(.wait, on: thread, fromHost: fromHost)
    frames[frame].item = port
    frames[frame].message = hold(message)
    ports[Int(port)].senders.append(thread)
    threads[Int(thread)].waitPosition = position
    block(thread, .room(port), until: date)
  }

  mutating func refuse(_ message: Message) -> Step {
    release(message.value)
    if message.request >= 0, !message.isReply { dropRequest(message.request) }
    return .result(.bool(false))
  }

  func hasRoom(_ port: Int32) -> Bool {
    configuration.profile == .linux || ports[Int(port)].messages.count < ports[Int(port)].capacity
  }

  mutating func enqueue(_ message: Message, _ port: Int32, _ thread: Int32) {
    if message.request >= 0 {
      postMessage(.messageSend, message.request, thread, text: message.text)
    } else if traces(.port) {
      let range = addText(message.text)
      var event = event(.portSend, thread)
      event.subject = ports[Int(port)].name
      event.textStart = range.start
      event.textLength = range.length
      events.append(event)
    }
    ports[Int(port)].messages.append(message)
    for seat in ports[Int(port)].seats { becameReady(port, seat.mode) }
  }

  /// There is room: the message of the longest waiting sender takes it at once, so that nobody overtakes.
  private mutating func admitSender(_ port: Int32) {
    guard !ports[Int(port)].senders.isEmpty else { return }
    let sender = ports[Int(port)].senders.removeFirst()
    enqueue(heldMessages[Int(frames[Int(threads[Int(sender)].top)].message)], port, sender)
    wake(sender)
  }

  /// A sender that waited for room goes on: its message was queued, or its date has passed, or the port is gone.
  mutating func endSend(_ frame: Int, _ thread: Int32) -> Flow {
    let message = releaseMessage(frames[frame].message)
    frames[frame].message = -1
    if threads[Int(thread)].outcome != 1 { _ = refuse(message) }
    result = .bool(threads[Int(thread)].outcome == 1)
    return .done
  }

  // MARK: Receiving

  /// Takes the first message of a live port; what is left makes it ready again, and there is room for a sender.
  mutating func takeMessage(_ port: Int32, from mode: Int32) -> Int32 {
    let index = Int(port)
    let message = ports[index].messages.removeFirst()
    admitSender(port)
    if ports[index].messages.isEmpty {
      for seat in ports[index].seats where seat.mode != mode { becameUnready(port, seat.mode) }
    } else {
      becameReady(port, mode)
    }
    return hold(message)
  }

  /// Begins to receive the message taken by the wait; false when the port has left the mode meanwhile: nothing is
  /// received then.
  mutating func beginReceive(_ activation: Int, _ thread: Int32) -> Bool {
    let port = frames[activation].live
    let slot = frames[activation].message
    frames[activation].message = -1
    guard ports[Int(port)].isValid, isIn(port, frames[activation].mode) else {
      _ = refuse(releaseMessage(slot))
      return false
    }
    frames[activation].handled = true
    let message = heldMessages[Int(slot)]
    if message.isReply {
      requests[Int(message.request)].isReceived = true
      releaseMessage(slot)
      return false
    }
    if message.request >= 0 {
      postMessage(.message, message.request, thread, text: message.text)
    } else if traces(.port) {
      let range = addText(message.text)
      var event = event(.port, thread)
      event.subject = ports[Int(port)].name
      event.textStart = range.start
      event.textLength = range.length
      events.append(event)
    }
    let frame = push(.receive, on: thread, fromHost: false)
    frames[frame].item = port
    frames[frame].message = slot
    // The port of an outer receive's reply, while a nested run receives.
    frames[frame].live = ports[Int(port)].replyPort
    ports[Int(port)].replyPort = message.replyTo
    return true
  }

  mutating func stepReceive(_ frame: Int, _ thread: Int32) -> Flow {
    let port = Int(frames[frame].item)
    if frames[frame].step == 0 {
      frames[frame].step = 1
      let message = releaseMessage(frames[frame].message)
      callout = Callout(kind: .port, callback: ports[port].receive, object: Int32(port))
      if message.request >= 0 {
        frames[frame].kept = message.request
        (callout.kind, callout.object) = (.message, message.request)
      }
      callout.value = message.value
      if callout.callback != .none { return .call }
      release(message.value)
    }
    if frames[frame].kept >= 0 { answer(frames[frame].kept, frames[frame].value, thread) }
    ports[port].replyPort = frames[frame].live
    return .done
  }

  /// An error left the receive callback: the reply port is that of the outer receive again.
  mutating func abandonReceive(_ frame: Int) {
    if frames[frame].kept >= 0 { dropRequest(frames[frame].kept) }
    ports[Int(frames[frame].item)].replyPort = frames[frame].live
  }

  // MARK: Messages in hand

  private mutating func hold(_ message: Message) -> Int32 {
    if let slot = freeMessages.popLast() {
      heldMessages[Int(slot)] = message
      return slot
    }
    heldMessages.append(message)
    return Int32(heldMessages.count - 1)
  }

  @discardableResult
  mutating func releaseMessage(_ slot: Int32) -> Message {
    let message = heldMessages[Int(slot)]
    heldMessages[Int(slot)] = Message(value: .none, text: [], replyTo: -1)
    freeMessages.append(slot)
    return message
  }

  // MARK: Membership

  /// Whether a port is in a mode.
  func isIn(_ port: Int32, _ mode: Int32) -> Bool { ports[Int(port)].seats.contains { $0.mode == mode } }

  mutating func insertPort(_ port: Int32, _ mode: Int32) {
    guard !isIn(port, mode) else { return }
    ports[Int(port)].seats.append(PortSeat(mode: mode))
    modes[Int(mode)].ports.append(port)
    if !ports[Int(port)].messages.isEmpty { becameReady(port, mode) }
  }

  mutating func removePort(_ port: Int32, _ mode: Int32) {
    unlist(port, mode)
    if let place = modes[Int(mode)].ports.firstIndex(of: port) { modes[Int(mode)].ports.remove(at: place) }
    ports[Int(port)].seats.removeAll { $0.mode == mode }
  }

  /// The port is gone: its messages too, and who waits for room is told.
  mutating func invalidatePort(_ port: Int32) {
    let index = Int(port)
    guard ports[index].isValid else { return }
    ports[index].isValid = false
    // It is found by no name any more.
    let isNamed = isExplored && registeredPorts.values.contains(PortID(rawValue: port))
    if !ports[index].service.isNone || isNamed { touch(.names, 0) }
    let portModes = ports[index].seats.map(\.mode)
    forgetCommonItem(.port(PortID(rawValue: port)), portModes)
    for mode in portModes { removePort(port, mode) }
    abandonCallers(of: port)
    while !ports[index].messages.isEmpty { _ = refuse(ports[index].messages.removeFirst()) }
    while !ports[index].senders.isEmpty { wake(ports[index].senders.removeFirst(), outcome: -1) }
    release(ports[index].receive)
    ports[index].receive = .none
  }
}
