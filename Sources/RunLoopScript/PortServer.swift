import CLuaHost
import RunLoopEngine

/// The names of ports (NSPortNameServer).
enum PortServer {
  private static let name = Parameter.required("name", .name, "the port's name there")

  static let functions: [APIFunction] = [
    .method(
      .portServer, "register", [name, .required("port", .object(.port, "a port"), "the port")],
      gives: ("boolean", "false: a valid port has the name, or this one is invalid"), doc: "Gives a port a name."
    ) { session, arguments throws(APIError) in
      .operation(.registerPort(try session.sharedName(arguments.bytes(0)), PortID(rawValue: arguments.object(1))))
    },
    .method(
      .portServer, "lookup", [name], gives: ("rl.Port?", "nil when no valid port has the name"),
      doc: "Finds a port by the name it was registered with."
    ) { session, arguments throws(APIError) in
      .operation(.lookUpPort(try session.sharedName(arguments.bytes(0))))
    },
    .method(
      .portServer, "remove", [name], gives: ("boolean", "whether a port had the name"), doc: "Takes a name away."
    ) { session, arguments throws(APIError) in
      .operation(.unregisterPort(try session.sharedName(arguments.bytes(0))))
    },
  ]
}
