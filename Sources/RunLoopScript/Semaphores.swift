import CLuaHost
import RunLoopEngine

/// Counting semaphores.
enum Semaphores {
  static let functions: [APIFunction] = [
    .function(
      "semaphore",
      fields: [
        .optional("name", .name, default: "`semaphore1`, …", "its name in the trace"),
        .optional("value", .integer, default: "0", "how many waits it lets through at first, 0 or more"),
      ], gives: ("rl.Semaphore", "the new semaphore"), doc: "Makes a counting semaphore."
    ) { session, arguments throws(APIError) in
      let value = arguments.integer(1, default: 0)
      if value < 0 { throw APIError("value must not be negative, got \(value)") }
      let semaphore = session.simulation.makeSemaphore(name: try session.name(arguments, 0, .semaphore), value: value)
      return .value(.object(.semaphore, semaphore.rawValue))
    },
    .method(
      .semaphore, "wait", [.optional("before", .date, default: "`rl.distantFuture`", "until when; a past date tries")],
      options: .position, gives: ("boolean", "false: the date has passed"),
      doc: "Takes one of its value, or waits for a signal: first come, first served."
    ) { _, arguments in
      .operation(
        .waitForSemaphore(
          SemaphoreID(rawValue: arguments.receiver), before: arguments.nanoseconds(0, default: .distantFuture)))
    },
    .method(
      .semaphore, "signal", options: .position, gives: ("boolean", "whether it wakes a thread"),
      doc: "Lets the thread through that has waited longest, or adds one to its value."
    ) { _, arguments in .operation(.signalSemaphore(SemaphoreID(rawValue: arguments.receiver))) },
  ]
}
