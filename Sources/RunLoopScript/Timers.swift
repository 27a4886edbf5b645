import CLuaHost
import RunLoopEngine

/// Timers.
enum Timers {
  static let functions: [APIFunction] = making + methods

  private static let fields: [Parameter] = [
    .optional("name", .name, default: "`timer1`, …", "its name in the trace"),
    .optional("fireAt", .date, default: "see `after`", "the date of the first fire"),
    .optional(
      "after", .seconds, default: "`interval` (profile linux: 0; `scheduleTimer`: always `interval`)",
      "the time until the first fire; not together with `fireAt`"),
    .optional("interval", .seconds, default: "0", "the time between two fires"),
    .optional("repeats", .boolean, default: "interval > 0", "whether it fires again and again"),
    .optional("tolerance", .seconds, default: "0", "how late it may fire so that timers fire together"),
    .optional("order", .integer, default: "0", "kept, without effect"),
    .optional("fire", .function("fun(timer: rl.Timer)"), default: "nothing", "what it calls"),
  ]

  private static let making: [APIFunction] = [
    .function(
      "timer", fields: fields, options: [.fieldsRequired, .position], gives: ("rl.Timer", "the new timer"),
      doc: "Makes a timer, which `loop:addTimer` adds."
    ) { session, arguments throws(APIError) in
      let now = session.simulation.now
      let isLinux = session.simulation.configuration.profile == .linux
      let timer = try make(session, arguments, first: isLinux ? now : now.saturatingAdd(interval(arguments)))
      return .value(.object(.timer, timer.rawValue))
    },
    .method(
      .loop, "scheduleTimer", fields: fields, options: [.fieldsRequired, .position],
      gives: ("rl.Timer", "the new timer"),
      doc: "Makes a timer and adds it to the default mode."
    ) { session, arguments throws(APIError) in
      let timer = try make(session, arguments, first: session.simulation.now.saturatingAdd(interval(arguments)))
      return .operationThen(
        .add(.timer(timer), arguments.loop, mode: .defaultMode), .object(.timer, timer.rawValue))
    },
  ]

  private static let methods: [APIFunction] = [
    .method(.timer, "invalidate", doc: "Takes it out of its loop for good.") { _, arguments in
      .operation(.invalidate(.timer(arguments.timer)))
    },
    .method(.timer, "isValid", gives: ("boolean", ""), doc: "Whether it was not invalidated.") { session, arguments in
      .look(.item(.timer(arguments.timer)), .boolean(session.simulation.isValid(.timer(arguments.timer))))
    },
    .method(
      .timer, "fire", options: .position,
      doc: "Fires by hand, without touching the schedule; invalidates a timer that does not repeat."
    ) { _, arguments in .operation(.fireTimer(arguments.timer)) },
    .method(.timer, "nextFireDate", gives: ("number", "a date; 0 when it is invalid"), doc: "When it fires next.") {
      session, arguments in
      .look(.item(.timer(arguments.timer)), .number(session.simulation.nextFireDate(arguments.timer).seconds))
    },
    .method(
      .timer, "setNextFireDate", [.required("date", .date, "when it fires next; a past date means now")],
      doc: "Moves the next fire."
    ) { _, arguments in .operation(.setNextFireDate(arguments.timer, arguments.nanoseconds(0))) },
    .method(.timer, "interval", gives: ("number", "seconds"), doc: "The time between two fires.") {
      session, arguments in
      .value(.number(session.simulation.interval(arguments.timer)))
    },
    .method(.timer, "doesRepeat", gives: ("boolean", ""), doc: "Whether it fires again and again.") {
      session, arguments in
      .value(.boolean(session.simulation.doesRepeat(arguments.timer)))
    },
    .method(.timer, "tolerance", gives: ("number", "seconds"), doc: "How late it may fire.") { session, arguments in
      .look(.item(.timer(arguments.timer)), .number(session.simulation.tolerance(arguments.timer).seconds))
    },
    .method(
      .timer, "setTolerance", [.required("seconds", .seconds, "how late it may fire, 0 or more")],
      doc: "Sets how late it may fire."
    ) { _, arguments throws(APIError) in .operation(.setTolerance(arguments.timer, try tolerance(arguments, 0))) },
    .method(.timer, "fireCount", gives: ("integer", ""), doc: "How often it has fired.") { session, arguments in
      .look(.item(.timer(arguments.timer)), .integer(Int64(session.simulation.fireCount(arguments.timer))))
    },
    .method(.timer, "missedCount", gives: ("integer", ""), doc: "How many points of its grid it has passed over.") {
      session, arguments in
      .look(.item(.timer(arguments.timer)), .integer(Int64(session.simulation.missedCount(arguments.timer))))
    },
  ]

  private static func interval(_ arguments: Arguments) -> Nanoseconds { max(0, arguments.nanoseconds(3, default: 0)) }

  private static func tolerance(_ arguments: Arguments, _ index: Int) throws(APIError) -> Nanoseconds {
    let tolerance = arguments.nanoseconds(index, default: 0)
    if tolerance < 0 { throw APIError("tolerance must not be negative, got \(arguments.text(index))") }
    return tolerance
  }

  /// Makes the timer; `first` is its first date when the script gives none.
  private static func make(
    _ session: Session, _ arguments: Arguments, first: Nanoseconds
  ) throws(APIError) -> TimerID {
    if arguments.isGiven(1), arguments.isGiven(2) { throw APIError("give either 'fireAt' or 'after', not both") }
    var date = arguments.nanoseconds(1, default: first)
    if arguments.isGiven(2) { date = session.simulation.now.saturatingAdd(arguments.nanoseconds(2)) }
    let interval = arguments.number(3, default: 0)
    let tolerance = try tolerance(arguments, 5)
    return session.simulation.makeTimer(
      name: try session.name(arguments, 0, .timer), fireDate: date, interval: interval,
      repeats: arguments.boolean(4, default: interval > 0), tolerance: tolerance,
      order: arguments.integer(6, default: 0), fire: arguments.host(7),
      at: session.position(arguments.place))
  }
}

extension Arguments {
  /// The timer whose method was called.
  var timer: TimerID { TimerID(rawValue: receiver) }
}
