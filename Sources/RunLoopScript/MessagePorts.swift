import CLuaHost
import RunLoopEngine
import RunLoopTrace

/// Message ports (CFMessagePort): requests to another thread by name, and their replies.
enum MessagePorts {
  static let functions: [APIFunction] = [
    .function(
      "messagePort",
      fields: [
        .optional(
          "name", .name, default: "`messagePort1`, …", "what `rl.remotePort` finds it by; valid ports differ in it"),
        .optional(
          "receive", .function("fun(id: integer, data: any, port: rl.MessagePort): any"), default: "nothing",
          "called for each message; what it returns is the reply"),
      ], options: .fieldsRequired, gives: ("rl.MessagePort", "the new port"),
      doc: "Makes the local end of a message port: a source of version 1, for `loop:addSource` or `loop:addPort`.",
      run: make),
    .method(.messagePort, "invalidate", doc: "Takes it out of all loops for good; who waits for a reply gets none.") {
      _, arguments in
      .operation(.invalidate(.port(arguments.port)))
    },
    .method(.messagePort, "isValid", gives: ("boolean", ""), doc: "Whether it was not invalidated.") {
      session, arguments in
      .look(.item(.port(arguments.port)), .boolean(session.simulation.isValid(.port(arguments.port))))
    },
    .function(
      "remotePort", [.required("name", .name, "the name of a message port")],
      gives: ("rl.RemotePort?", "nil when there is no valid message port of this name"),
      doc: "The remote end of a message port."
    ) { session, arguments throws(APIError) in
      .operation(.findMessagePort(try session.sharedName(arguments.bytes(0))))
    },
    .method(
      .remotePort, "request",
      [
        .required("id", .integer, "a number for the receiver"),
        .optional("data", .anyWithText, default: "nil", "the message"),
      ],
      fields: [
        .optional("sendTimeout", .seconds, default: "no limit", "how long to wait for room in the port's queue"),
        .optional("receiveTimeout", .seconds, default: "no limit", "how long to wait for the reply"),
        .optional(
          "replyMode", .mode, default: "none: no reply is wanted",
          "the mode in which this thread's run loop runs until the reply comes"),
      ], options: .position, gives: ("any ..., rl.RequestRefusal?", "the reply; or nil and why there is none"),
      doc: "Sends a message, and waits for the reply if `replyMode` is given (CFMessagePortSendRequest).", run: request),
    .method(
      .remotePort, "isValid", gives: ("boolean", ""), doc: "Whether the local end was not invalidated."
    ) { session, arguments in
      .look(.item(.port(arguments.port)), .boolean(session.simulation.isValid(.port(arguments.port))))
    },
  ]

  private static func make(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    if !session.isCallingAgain, session.takesStep(before: .newPortName) { return .first(.newPortName) }
    let name = try session.name(arguments, 0, .messagePort)
    let text = session.simulation.names[name]
    let service = session.simulation.names.intern(text)
    session.simulation.looks(at: .portNames)
    guard session.simulation.messagePort(named: service).isNone else {
      throw APIError("there is a valid message port named '\(Shown.name(text))' already")
    }
    let port = session.simulation.makeMessagePort(name: name, receive: arguments.host(1))
    return .value(.object(.messagePort, port.rawValue))
  }

  private static func request(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let mode = try session.mode(arguments, 4, default: .none)
    if mode == .commonModes { throw APIError("replyMode must be one mode; 'common' stands for several") }
    let request = MessageRequest(
      port: arguments.port, id: arguments.integer(0, default: 0), data: arguments.host(1),
      text: session.simulation.addText(arguments.isGiven(1) ? arguments.bytes(1) : Ports.nilText),
      sendTimeout: arguments.nanoseconds(2, default: .distantFuture),
      receiveTimeout: arguments.nanoseconds(3, default: .distantFuture), replyMode: mode)
    return .operation(.request(request))
  }
}

extension RequestRefusal {
  /// The reason as scripts see it.
  var name: StaticString {
    switch self {
    case .sendTimeout: "sendTimeout"
    case .receiveTimeout: "receiveTimeout"
    case .invalid: "invalid"
    case .becameInvalid: "becameInvalid"
    }
  }
}
