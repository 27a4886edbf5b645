import CLuaHost
import RunLoopEngine

/// Functions that are called under a guard.
enum Guards {
  static let functions: [APIFunction] = [
    .function(
      "synchronized",
      [
        .required("object", .identity, "whose lock is taken; strings and numbers go by their value"),
        .required("fn", .function("fun(): ..."), "what to call"),
      ], options: .position, gives: ("any ...", "what the function returned"),
      doc: "Calls a function under the recursive lock of an object, which an error in it gives back too."
    ) { session, arguments throws(APIError) in
      .operation(.synchronized(try lock(session, arguments, .synchronized, .synchronized), arguments.host(1)))
    },
    .function(
      "once",
      [
        .required("token", .identity, "what it is done once for; strings and numbers go by their value"),
        .required("fn", .function(), "what to call"),
      ], options: .position, gives: ("boolean", "whether this call has called it"),
      doc: "Calls a function once for all. Others wait until it has ended; after an error the next one calls it."
    ) { session, arguments throws(APIError) in
      .operation(.once(try lock(session, arguments, .once, .once), arguments.host(1)))
    },
  ]

  /// The lock of the object or token: found by its number, made the first time. A string's has its text as its name.
  private static func lock(
    _ session: Session, _ arguments: Arguments, _ kind: LockKind, _ names: NameKind
  ) throws(APIError) -> LockID {
    let text = arguments.bytes(0)
    if text.isEmpty { session.simulation.looksUpLock(named: names) } else { _ = try session.nameText(text) }
    return session.notes.lock(kind, of: arguments[0].integer) {
      if text.isEmpty { return session.simulation.makeLock(kind, name: session.simulation.automaticName(names)) }
      return session.simulation.makeLock(kind, name: session.simulation.names.add(text), key: text)
    }
  }
}
