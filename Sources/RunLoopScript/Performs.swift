import CLuaHost
import RunLoopEngine

/// Functions carried out by other threads, later, or both (performSelector…).
enum Performs {
  static let functions: [APIFunction] = [
    .method(
      .thread, "perform", [.required("fn", .function("fun(argument: any)"), "what to call")], fields: options,
      options: .position,
      doc: "Asks its run loop to call a function. With `wait` the caller blocks until it has run."
    ) { session, arguments throws(APIError) in
      .operation(.perform(arguments.thread, try request(session, arguments)))
    },
    .function(
      "performOnMainThread", [.required("fn", .function("fun(argument: any)"), "what to call")], fields: options,
      options: .position,
      doc: "Asks the main thread's run loop to call a function, as `thread:perform` does for any thread."
    ) { session, arguments throws(APIError) in .operation(.perform(.main, try request(session, arguments))) },
    .function(
      "performInBackground",
      [
        .required("fn", .function("fun(argument: any)"), "what to call"),
        .optional("argument", .any, default: "nil", "what it is called with"),
      ], options: .position, gives: ("rl.Thread", "the new thread"), doc: "Calls a function on a new detached thread.",
      run: performInBackground),
    .function(
      "performAfterDelay",
      [
        .required("seconds", .seconds, "the delay"),
        .required("fn", .function("fun(argument: any)"), "what to call"),
      ],
      fields: [
        .optional("target", .any, default: "nil", "what `rl.cancelPreviousPerforms` finds it by"),
        .optional("argument", .any, default: "nil", "what the function is called with"),
        .optional("modes", .modes, default: "{\"default\"}", "the modes in which it may happen"),
        .optional("name", .name, default: "`perform1`, …", "its name in the trace"),
      ], options: .position, doc: "Asks the current run loop to call a function later: a timer that fires once.",
      run: performAfterDelay),
    .function(
      "cancelPreviousPerforms",
      [
        .required("target", .any, "the target they were made with"),
        .optional("fn", .function("fun(argument: any)"), default: "any", "only those of this function"),
        .optional("argument", .any, default: "any", "only those with this argument"),
      ], doc: "Cancels what `rl.performAfterDelay` asked of the current run loop.", run: cancelPerforms),
  ]

  private static let options: [Parameter] = [
    .optional("wait", .boolean, default: "false", "whether to wait until it was carried out"),
    .optional("modes", .modes, default: "{\"common\"}", "the modes in which it may be carried out"),
    .optional("name", .name, default: "`perform1`, …", "its name in the trace"),
    .optional("argument", .any, default: "nil", "what the function is called with"),
  ]

  private static func request(_ session: Session, _ arguments: Arguments) throws(APIError) -> PerformRequest {
    let modes = try session.modes(arguments, 2, default: .commonModes)
    return PerformRequest(
      name: try session.name(arguments, 3, .perform), callback: arguments.host(0), argument: arguments.host(4),
      modes: modes, wait: arguments.boolean(1, default: false))
  }

  private static func performInBackground(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let thread = session.simulation.makeThread(
      name: session.simulation.automaticName(.thread), entry: arguments.host(0).asBare,
      arguments: arguments.host(1), joinable: false)
    return .operation(.startDetached(thread))
  }

  private static func performAfterDelay(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let modes = try session.modes(arguments, 4)
    let request = PerformRequest(
      name: try session.name(arguments, 5, .perform), callback: arguments.host(1), argument: arguments.host(3),
      target: arguments.host(2), modes: modes)
    return .operation(.performAfterDelay(arguments.nanoseconds(0), request))
  }

  private static func cancelPerforms(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let asked = [arguments.host(0), arguments.host(1), arguments.host(2)]
    var found: [TimerID] = []
    for (timer, request) in session.simulation.pendingDelayedPerforms(of: session.current) {
      let has = [request.target, request.callback, request.argument]
      let isMeant = zip(asked, has).enumerated().allSatisfy { index, pair in
        (index > 0 && pair.0.isNone) || session.isSame(pair.0, pair.1)
      }
      if isMeant { found.append(timer) }
    }
    for value in asked where !value.isNone { clh_release(session.host, value.reference) }
    found.reverse()
    guard let first = found.popLast() else { return .nothing }
    session.notes.followUps[session.current] = .invalidate(found)
    return .operation(.invalidate(.timer(first)))
  }
}
