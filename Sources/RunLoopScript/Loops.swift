import CLuaHost
import RunLoopEngine

/// Run loops: running, stopping and asking them.
enum Loops {
  static let functions: [APIFunction] = running + control + questions

  private static let beforeDate = Parameter.required("beforeDate", .date, "when it ends at the latest")
  private static let runMode = Parameter.required("mode", .mode, "the mode to run in")

  private static let running: [APIFunction] = [
    .function("currentLoop", gives: ("rl.Loop", ""), doc: "The current thread's run loop, made when first asked for.") {
      session, _ in
      let subject = Subject.newLoop(session.current)
      if !session.isCallingAgain, session.simulation.loop(of: session.current).isNone,
        session.takesStep(before: subject)
      {
        return .first(subject)
      }
      return .value(.object(.loop, session.simulation.currentLoop(of: session.current).rawValue))
    },
    .method(
      .loop, "run", options: .position, gives: ("rl.RunResult", "why it ended"),
      doc: "Runs in the default mode until it is stopped or has nothing left."
    ) { _, arguments in .operation(.run(arguments.loop)) },
    .method(
      .loop, "runInMode",
      [
        runMode,
        .optional("seconds", .seconds, default: "no limit", "for how long; 0 or less looks once and does not wait"),
        .optional("returnAfterSourceHandled", .boolean, default: "false", "whether one handled source ends it"),
      ], options: .position, gives: ("rl.RunResult", "why it ended"),
      doc: "Runs in a mode (CFRunLoopRunInMode). An unknown or empty mode finishes at once."
    ) { session, arguments throws(APIError) in
      .operation(
        .runInMode(
          arguments.loop, mode: try session.mode(arguments, 0),
          seconds: arguments.nanoseconds(1, default: .distantFuture),
          returnAfterSourceHandled: arguments.boolean(2, default: false)))
    },
    .method(
      .loop, "runMode", [runMode, beforeDate], options: .position, gives: ("boolean", "false: the mode was empty"),
      doc: "Runs in a mode until one source was handled or a date has come (runMode:beforeDate:)."
    ) { session, arguments throws(APIError) in
      .operation(
        .runMode(arguments.loop, mode: try session.mode(arguments, 0), before: arguments.nanoseconds(1)))
    },
    .method(
      .loop, "runUntil", [.required("date", .date, "when it ends")], options: .position,
      doc: "Runs in the default mode again and again until a date has come or the mode is empty."
    ) { _, arguments in .operation(.runUntil(arguments.loop, arguments.nanoseconds(0))) },
    .method(
      .loop, "runForever", options: .position,
      doc: "Runs in the default mode again and again until the mode is empty; `stop` only ends the inner run."
    ) { _, arguments in .operation(.runForever(arguments.loop)) },
    .method(
      .loop, "acceptInput", [runMode, beforeDate], options: .position,
      doc: "One pass that handles what is ready before a date."
    ) { session, arguments throws(APIError) in
      .operation(
        .acceptInput(arguments.loop, mode: try session.mode(arguments, 0), before: arguments.nanoseconds(1)))
    },
    .method(
      .loop, "limitDate", [.optional("mode", .mode, default: "\"default\"", "the mode")], options: .position,
      gives: ("number?", "nil when the mode is empty"),
      doc: "One pass that does not wait, then the date of the mode's next timer."
    ) { session, arguments throws(APIError) in
      .operation(.limitDate(arguments.loop, mode: try session.mode(arguments, 0)))
    },
  ]

  private static let control: [APIFunction] = [
    .method(.loop, "stop", options: .position, doc: "Ends its innermost run. Without a run it does nothing.") {
      _, arguments in
      .operation(.stop(arguments.loop))
    },
    .method(.loop, "wakeUp", options: .position, doc: "Ends its wait. What does not wait ignores it.") { _, arguments in
      .operation(.wakeUp(arguments.loop))
    },
    .method(
      .loop, "addCommonMode", [.required("mode", .mode, "the mode")],
      doc: "Makes a mode one of the common modes."
    ) { session, arguments throws(APIError) in
      .operation(.addCommonMode(arguments.loop, try session.mode(arguments, 0)))
    },
    .method(
      .loop, "performBlock",
      [
        .optional("modes", .modes.mayBeLeftOut, default: "\"default\"", "the modes in which it may run"),
        .required("fn", .function(), "what to call"),
      ], options: .position, doc: "Queues a function for a later pass. Does not wake the loop."
    ) { session, arguments throws(APIError) in
      .operation(.performBlock(arguments.loop, modes: try session.modes(arguments, 0), arguments.host(1)))
    },
  ]

  private static let questions: [APIFunction] = [
    .method(.loop, "isWaiting", gives: ("boolean", ""), doc: "Whether it waits for something to happen.") {
      _, arguments in
      .operation(.isWaiting(arguments.loop))
    },
    .method(.loop, "currentMode", gives: ("rl.Mode?", "nil when it does not run"), doc: "The mode it runs in.") {
      _, arguments in .operation(.currentMode(arguments.loop))
    },
    .method(.loop, "modes", gives: ("rl.Mode[]", ""), doc: "The modes it has, in the order in which they were made.") {
      session, arguments in
      let names = session.simulation.modes(of: arguments.loop).map { session.simulation.names.utf8($0) }
      return .look(.loop(arguments.loop), session.scratch.hold(names))
    },
    .method(
      .loop, "nextTimerFireDate", [.optional("mode", .mode, default: "\"default\"", "the mode")],
      gives: ("number?", "nil without a timer"), doc: "The date of the mode's first timer."
    ) { session, arguments throws(APIError) in
      .operation(.nextTimerFireDate(arguments.loop, mode: try session.mode(arguments, 0)))
    },
  ]
}

extension Arguments {
  /// The run loop whose method was called.
  var loop: LoopID { LoopID(rawValue: receiver) }
}
