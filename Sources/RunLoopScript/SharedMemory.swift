import CLuaHost
import RunLoopEngine

/// Plain memory that threads share, made visible.
enum SharedMemory {
  static let functions: [APIFunction] = [
    .function(
      "shared",
      fields: [
        .optional("name", .name, default: "`shared1`, …", "its name in the trace"),
        .optional("value", .any, default: "nil", "its value at first"),
      ], gives: ("rl.Shared", "the new cell"),
      doc: "Makes a cell of plain memory, whose unordered use by two threads is a data race."
    ) { session, arguments throws(APIError) in
      let name = try session.name(arguments, 0, .shared)
      let cell = session.simulation.makeShared(name: name, value: arguments.host(1))
      return .value(.object(.shared, cell.rawValue))
    },
    .method(.shared, "get", options: .position, gives: ("any", "its value"), doc: "Reads it.") { _, arguments in
      .operation(.getShared(SharedID(rawValue: arguments.receiver)))
    },
    .method(
      .shared, "set", [.optional("value", .anyWithTracedText, default: "nil", "its new value")], options: .position,
      doc: "Writes it."
    ) { session, arguments in
      var text = TextRange.empty
      if session.simulation.traces(.access) {
        text =
          arguments.isGiven(0)
          ? session.simulation.addText(arguments.bytes(0)) : session.simulation.addText(Ports.nilText)
      }
      return .operation(.setShared(SharedID(rawValue: arguments.receiver), arguments.host(0), text: text))
    },
  ]
}
