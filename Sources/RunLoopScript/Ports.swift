import CLuaHost
import RunLoopEngine

/// Ports: sources of version 1 with a queue of messages.
enum Ports {
  static let functions: [APIFunction] = [
    .function(
      "port",
      fields: [
        .optional("name", .name, default: "`port1`, …", "its name in the trace"),
        .optional("order", .integer, default: "0", "kept, without effect"),
        .optional("capacity", .integer, default: "5", "how many messages wait before `send` blocks, 1 or more"),
        .optional(
          "receive", .function("fun(message: any, port: rl.Port)"), default: "nothing", "called for each message"),
      ], options: [.fieldsRequired, .position], gives: ("rl.Port", "the new port"),
      doc: "Makes a port, which `loop:addPort` adds.", run: make),
    .method(
      .port, "send", [.optional("value", .anyWithText, default: "nil", "the message")],
      fields: [
        .optional("before", .date, default: "`rl.distantFuture`", "until when to wait for room in a full queue"),
        .optional("replyTo", .object(.port, "a port"), default: "none", "the port that `replyPort` gives the receiver"),
      ], options: .position,
      gives: ("boolean", "false: there was no room in time, or the port is invalid"),
      doc: "Queues a message, which wakes the loops that wait for it.", run: send),
    .method(
      .port, "replyPort", gives: ("rl.Port?", "nil without one"),
      doc: "In `receive`: the sender's port for an answer to the message."
    ) { session, arguments in
      let reply = session.simulation.replyPort(of: arguments.port)
      return .value(reply.isNone ? .null : .object(.port, reply.rawValue))
    },
    .method(.port, "invalidate", doc: "Takes it out of all loops for good.") { _, arguments in
      .operation(.invalidate(.port(arguments.port)))
    },
    .method(.port, "isValid", gives: ("boolean", ""), doc: "Whether it was not invalidated.") { session, arguments in
      .look(.item(.port(arguments.port)), .boolean(session.simulation.isValid(.port(arguments.port))))
    },
  ]

  private static func make(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let capacity = arguments.integer(2, default: 5)
    if capacity < 1 { throw APIError("capacity must be 1 or more, got \(capacity)") }
    let port = session.simulation.makePort(
      name: try session.name(arguments, 0, .port), order: arguments.integer(1, default: 0),
      capacity: Int(capacity), receive: arguments.host(3), at: session.position(arguments.place))
    return .value(.object(.port, port.rawValue))
  }

  private static func send(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let text = arguments.isGiven(0) ? arguments.bytes(0) : Ports.nilText
    return .operation(
      .send(
        arguments.port, message: arguments.host(0), text: session.simulation.addText(text),
        before: arguments.nanoseconds(1, default: .distantFuture), replyTo: PortID(rawValue: arguments.object(2))))
  }

  static var nilText: UnsafeBufferPointer<UInt8> {
    let text: StaticString = "nil"
    return UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}

extension Arguments {
  /// The port whose method was called.
  var port: PortID { PortID(rawValue: receiver) }
}
