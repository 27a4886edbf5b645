import CLuaHost
import RunLoopEngine

/// Threads: making, starting, joining and asking them.
enum Threads {
  static let functions: [APIFunction] = making + life + questions

  private static let making: [APIFunction] = [
    .function(
      "thread",
      fields: [
        .optional("name", .name, default: "`thread1`, …", "its name in the trace"),
        .required("entry", .function("fun(thread: rl.Thread): ..."), "what it runs; its results are what `join` gives"),
        .optional(
          "joinable", .boolean, default: "false; true in the form `rl.thread(name, entry)`",
          "whether it can be joined"),
        .optional("stackSize", .integer, default: "524288", "bytes, a multiple of 4096, 16384 or more"),
        .optional(
          "priority", .number, default: "0.5", "0 to 1: how willingly a free core of `rl.machine` takes it"),
      ], options: [.fieldsRequired, .orPositional], gives: ("rl.Thread", "the new thread"),
      doc: "Makes a thread, which `start()` starts. `rl.thread(name, entry)` makes a joinable one.", run: make),
    .function(
      "detach",
      [
        .required("name", .name, "its name in the trace"),
        .required("entry", .function("fun(thread: rl.Thread, ...)"), "what it runs"),
        .optional("...", .rest, "handed to `entry` after the thread"),
      ], options: .position, gives: ("rl.Thread", "the new thread"), doc: "Makes a detached thread and starts it.",
      run: detachNew),
    .function("currentThread", gives: ("rl.Thread", "the thread that calls"), doc: "The current thread.") {
      session, _ in
      .value(.object(.thread, session.current.rawValue))
    },
    .function(
      "exitThread", [.optional("...", .rest, "what `join` gives")],
      doc: "Ends the current thread at once, from wherever it is."
    ) { _, arguments in .operation(.exitThread(arguments.host(0))) },
  ]

  private static let life: [APIFunction] = [
    .method(.thread, "start", options: .position, doc: "Starts it. Starting twice is an error.") { _, arguments in
      .operation(.startThread(arguments.thread))
    },
    .method(
      .thread, "join", options: .position, gives: ("any ...", "what its entry returned"),
      doc: "Waits until it has ended. Joining itself, twice, or a detached thread is an error."
    ) { _, arguments in .operation(.join(arguments.thread)) },
    .method(.thread, "detach", options: .position, doc: "Makes a joinable thread detached.") { _, arguments in
      .operation(.detach(arguments.thread))
    },
    .method(
      .thread, "cancel", options: .position,
      doc: "Sets its cancelled flag, which it has to ask for itself. Wakes nobody."
    ) { _, arguments in .operation(.cancelThread(arguments.thread)) },
    .method(
      .thread, "setPriority", [.required("priority", .number, "0 to 1")],
      doc: "Sets how willingly a free core of `rl.machine` takes it."
    ) { _, arguments throws(APIError) in
      .operation(.setPriority(arguments.thread, try checkedPriority(arguments, 0)))
    },
    .method(
      .thread, "setStackSize", [.required("bytes", .integer, "a multiple of 4096, 16384 or more")], options: .position,
      doc: "Sets the size of its stack, before it starts. It is stored, and has no effect."
    ) { _, arguments throws(APIError) in
      .operation(.setStackSize(arguments.thread, try checkedStackSize(arguments, 0)))
    },
  ]

  private static let questions: [APIFunction] = [
    .method(.thread, "isCancelled", gives: ("boolean", ""), doc: "Whether `cancel` was called.") { _, arguments in
      .operation(.threadState(arguments.thread, .isCancelled))
    },
    .method(.thread, "isExecuting", gives: ("boolean", ""), doc: "Whether it was started and has not ended.") {
      _, arguments in
      .operation(.threadState(arguments.thread, .isExecuting))
    },
    .method(.thread, "isFinished", gives: ("boolean", ""), doc: "Whether it has ended.") { _, arguments in
      .operation(.threadState(arguments.thread, .isFinished))
    },
    .method(.thread, "isMain", gives: ("boolean", ""), doc: "Whether it is the main thread.") { session, arguments in
      .value(.boolean(session.simulation.isMain(arguments.thread)))
    },
    .method(
      .thread, "loop",
      gives: (
        "rl.Loop?",
        "nil while nobody has asked for it on that thread (`rl.currentLoop()` there), and after the thread's end"
      ), doc: "Its run loop."
    ) { session, arguments in
      let loop = session.simulation.loop(of: arguments.thread)
      return .look(.loopOf(arguments.thread), loop.isNone ? .null : .object(.loop, loop.rawValue))
    },
    .method(.thread, "priority", gives: ("number", "0 to 1"), doc: "Its priority.") { session, arguments in
      .look(.thread(arguments.thread), .number(session.simulation.priority(of: arguments.thread)))
    },
    .method(.thread, "stackSize", gives: ("integer", "bytes"), doc: "The size of its stack.") { session, arguments in
      let standard: Int64 = session.simulation.isMain(arguments.thread) ? 8 << 20 : 512 << 10
      return .look(.thread(arguments.thread), .integer(session.simulation.stackSize(of: arguments.thread) ?? standard))
    },
  ]

  private static func make(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    // The value after the parameters says which form it was.
    let isPositional = arguments.boolean(5, default: false)
    let stackSize = arguments.isGiven(3) ? try checkedStackSize(arguments, 3) : nil
    let priority = arguments.isGiven(4) ? try checkedPriority(arguments, 4) : 0.5
    let thread = session.simulation.makeThread(
      name: try session.name(arguments, 0, .thread), entry: arguments.host(1), arguments: .none,
      joinable: arguments.boolean(2, default: isPositional), priority: priority, stackSize: stackSize)
    return .value(.object(.thread, thread.rawValue))
  }

  private static func detachNew(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let thread = session.simulation.makeThread(
      name: try session.name(arguments, 0, .thread), entry: arguments.host(1), arguments: arguments.host(2),
      joinable: false)
    return .operation(.startDetached(thread))
  }

  private static func checkedPriority(_ arguments: Arguments, _ index: Int) throws(APIError) -> Double {
    let priority = arguments.number(index)
    if !(0...1).contains(priority) { throw APIError("priority must be between 0 and 1, got \(arguments.text(index))") }
    return priority
  }

  private static func checkedStackSize(_ arguments: Arguments, _ index: Int) throws(APIError) -> Int64 {
    let size = arguments[index].integer
    if size < 16384 || size % 4096 != 0 {
      throw APIError("stackSize must be a multiple of 4096, 16384 or more, got \(size)")
    }
    return size
  }
}

extension Arguments {
  /// The thread whose method was called.
  var thread: ThreadID { ThreadID(rawValue: receiver) }
}
