import CLuaHost
import RunLoopEngine

/// Sources of version 0: signalled by hand, performed by the loop.
enum Sources {
  private static let scheduling = "fun(source: rl.Source, loop: rl.Loop, mode: rl.Mode)"

  static let functions: [APIFunction] = [
    .function(
      "source",
      fields: [
        .optional("name", .name, default: "`source1`, …", "its name in the trace"),
        .optional("order", .integer, default: "0", "sources with lower orders are performed first"),
        .optional("perform", .function("fun(source: rl.Source)"), default: "nothing", "what a signal leads to"),
        .optional("schedule", .function(scheduling), default: "nothing", "called when it is added to a mode"),
        .optional(
          "cancel", .function(scheduling), default: "nothing",
          "called when it is taken out of a mode, is invalidated, or its thread ends"),
      ], options: [.fieldsRequired, .position], gives: ("rl.Source", "the new source"),
      doc: "Makes a source, which `loop:addSource` adds.",
      run: make),
    .method(.source, "signal", options: .position, doc: "Marks it to be performed. Does not wake the loop.") {
      _, arguments in
      .operation(.signal(arguments.source))
    },
    .method(.source, "isSignalled", gives: ("boolean", ""), doc: "Whether it is marked to be performed.") {
      _, arguments in
      .operation(.isSignalled(arguments.source))
    },
    .method(.source, "invalidate", doc: "Takes it out of all loops for good.") { _, arguments in
      .operation(.invalidate(.source(arguments.source)))
    },
    .method(.source, "isValid", gives: ("boolean", ""), doc: "Whether it was not invalidated.") { session, arguments in
      .look(.item(.source(arguments.source)), .boolean(session.simulation.isValid(.source(arguments.source))))
    },
  ]

  private static func make(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let source = session.simulation.makeSource(
      name: try session.name(arguments, 0, .source), order: arguments.integer(1, default: 0),
      perform: arguments.host(2), schedule: arguments.host(3), cancel: arguments.host(4),
      at: session.position(arguments.place))
    return .value(.object(.source, source.rawValue))
  }
}

extension Arguments {
  /// The source whose method was called.
  var source: SourceID { SourceID(rawValue: receiver) }
}
