import CLuaHost
import RunLoopEngine

/// Time, the log, and what concerns a run as a whole.
enum TopLevel {
  static let functions: [APIFunction] = [
    .function("now", gives: ("number", "seconds since the start of the run"), doc: "Virtual time.") { session, _ in
      .look(.time, .number(session.simulation.now.seconds))
    },
    .function(
      "nanoseconds", gives: ("integer", "nanoseconds since the start of the run"), doc: "Virtual time, exactly."
    ) { session, _ in .look(.time, .integer(session.simulation.now)) },
    .function(
      "work", [.required("seconds", .seconds, "for how long")], options: .position,
      doc: "This thread computes: time passes for it, and it handles no events.", run: work),
    .function(
      "sleep", [.required("seconds", .seconds, "for how long; a negative number returns at once")],
      options: .position, doc: "This thread does nothing for a while."
    ) { session, arguments in
      .operation(.sleep(until: session.simulation.now.saturatingAdd(arguments.nanoseconds(0))))
    },
    .function(
      "sleepUntil", [.required("date", .date, "until when; a past date returns at once")],
      options: .position, doc: "This thread does nothing until a date."
    ) { _, arguments in .operation(.sleep(until: arguments.nanoseconds(0))) },
    .function("yield", doc: "Gives way to the other ready threads once.") { _, _ in .operation(.yield) },
    .function(
      "log", [.optional("...", .texts, "written by `tostring`, separated by spaces")],
      doc: "Writes a `log` line into the trace."
    ) { session, arguments in
      session.simulation.log(arguments.bytes(0), on: session.current)
      return .nothing
    },
    .function(
      "expect",
      [
        .required("condition", .truth, "what is claimed"),
        .optional("message", .string, default: "\"expectation failed\"", "what is wrong when it does not hold"),
      ], options: .position, gives: ("boolean", "whether it holds"),
      doc: "States a claim. A failed one is traced and makes the run end as fault `expectation`, without stopping it.",
      run: expect),
    .function(
      "trace",
      fields: [
        .optional("show", .categories, default: "all but `access`", "show exactly these; `all` is allowed"),
        .optional("hide", .categories, default: "none", "hide these; `all` is allowed"),
      ], options: .fieldsRequired, doc: "Chooses the categories of events in the trace. The command line wins.",
      run: trace),
    .function(
      "semantics", [.required("profile", .profile, "the profile")],
      doc: "Chooses whose run loop is simulated, before anything runs. The command line wins.", run: semantics),
    .function(
      "describe",
      [.optional("subject", .object(.loop, or: .thread, "a loop or a thread"), default: "everything", "whose state")],
      gives: ("string", "readable text"),
      doc: "Tells the state of a loop, a thread or all of them: what keeps it alive, what it waits for.",
      run: describe),
  ]

  private static func work(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let duration = arguments.nanoseconds(0)
    if duration < 0 { throw APIError("seconds must not be negative, got \(arguments.text(0))") }
    if duration == .distantFuture { throw APIError("seconds must be finite, got \(arguments.text(0))") }
    return .operation(.work(duration))
  }

  private static func expect(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let holds = arguments.boolean(0, default: false)
    if !holds {
      let place = session.position(arguments.place)
      if arguments.isGiven(1) {
        session.simulation.expectationFailed(arguments.bytes(1), on: session.current, at: place)
      } else {
        var message = "expectation failed"
        message.withUTF8 { session.simulation.expectationFailed($0, on: session.current, at: place) }
      }
    }
    return .value(.boolean(holds))
  }

  private static func trace(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let show = arguments.isGiven(0) ? try CategoryNames.parse(arguments.strings(0)) : nil
    let hide = try CategoryNames.parse(arguments.strings(1))
    session.simulation.looks(at: .everything)
    let tracing = CategoryNames.selection(session.options, show: show, hide: hide)
    session.simulation.configure { $0.tracing = tracing }
    session.tellWantedTexts()
    return .nothing
  }

  private static func semantics(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let name = arguments.string(0)
    guard let profile = Profile(rawValue: name) else {
      throw Spelling.unknown("profile", name, among: Profile.allCases.map(\.rawValue))
    }
    if session.options.profileIsFixed || profile == session.simulation.configuration.profile { return .nothing }
    if session.simulation.hasBegun || session.deliveredEvents > 0 {
      throw APIError("the profile must be chosen before a thread starts, a run loop runs or time passes")
    }
    session.simulation.configure { $0.profile = profile }
    return .nothing
  }

  private static func describe(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let id = arguments.object(0)
    let words: String
    if !arguments.isGiven(0) {
      words = session.simulation.describe()
    } else if arguments[0].kind == ObjectKind.loop.rawValue {
      words = session.simulation.describe(LoopID(rawValue: id))
    } else {
      words = session.simulation.describe(ThreadID(rawValue: id))
    }
    return .look(.everything, session.text(words))
  }
}
