import CLuaHost
import RunLoopEngine

/// Conditions with their own mutex, and locks with a number to wait for.
enum Conditions {
  static let functions: [APIFunction] = conditions + conditionLocks

  private static let conditions: [APIFunction] = [
    .function(
      "condition", fields: [.optional("name", .name, default: "`condition1`, …", "its name in the trace")],
      gives: ("rl.Condition", "the new condition"), doc: "Makes a condition with its own mutex, as NSCondition is."
    ) { session, arguments throws(APIError) in
      let lock = session.simulation.makeLock(.condition, name: try session.name(arguments, 0, .condition))
      return .value(.object(.condition, lock.rawValue))
    },
    LockMethods.lock(.condition), LockMethods.unlock(.condition), LockMethods.tryLock(.condition),
    LockMethods.lockBefore(.condition),
    .method(
      .condition, "wait", options: .position,
      doc: "Gives the mutex back, waits for a signal, and takes the mutex again. An error without the mutex."
    ) { _, arguments in .operation(.waitForCondition(arguments.lock)) },
    .method(
      .condition, "waitUntil", [.required("date", .date, "until when; a past date returns at once")],
      options: .position, gives: ("boolean", "false: the date has passed"),
      doc: "The same until a date. Under `linux` the distant future ends the process."
    ) { _, arguments in .operation(.waitForConditionUntil(arguments.lock, arguments.nanoseconds(0))) },
    .method(
      .condition, "signal", options: .position,
      doc: "Wakes the thread that has waited longest, which then has to get the mutex. Lost when nobody waits."
    ) { _, arguments in .operation(.signalCondition(arguments.lock, all: false)) },
    .method(.condition, "broadcast", options: .position, doc: "Wakes all threads that wait.") { _, arguments in
      .operation(.signalCondition(arguments.lock, all: true))
    },
  ]

  private static let conditionLocks: [APIFunction] = [
    .function(
      "conditionLock",
      fields: [
        .optional("name", .name, default: "`conditionLock1`, …", "its name in the trace"),
        .optional("condition", .integer, default: "0", "its number at first"),
      ], gives: ("rl.ConditionLock", "the new lock"), doc: "Makes a lock with a number that can be waited for."
    ) { session, arguments throws(APIError) in
      let lock = session.simulation.makeLock(
        .conditionLock, name: try session.name(arguments, 0, .conditionLock),
        value: arguments.integer(1, default: 0))
      return .value(.object(.conditionLock, lock.rawValue))
    },
    LockMethods.lock(.conditionLock), LockMethods.unlock(.conditionLock), LockMethods.tryLock(.conditionLock),
    LockMethods.lockBefore(.conditionLock),
    .method(
      .conditionLock, "lockWhen",
      [
        .required("condition", .integer, "the number to wait for"),
        .optional("before", .date, default: "`rl.distantFuture`", "until when; a past date tries"),
      ], options: .position, gives: ("boolean", "whether it was taken"),
      doc: "Waits until it is free and has the number, and takes it."
    ) { _, arguments in
      .operation(
        .lockWhen(
          arguments.lock, arguments.integer(0, default: 0), before: arguments.nanoseconds(1, default: .distantFuture)))
    },
    .method(
      .conditionLock, "unlockWith", [.required("condition", .integer, "its new number")], options: .position,
      doc: "Sets its number and gives it back."
    ) { _, arguments in .operation(.unlockWith(arguments.lock, arguments.integer(0, default: 0))) },
    .method(.conditionLock, "condition", gives: ("integer", ""), doc: "Its number.") { _, arguments in
      .operation(.conditionValue(arguments.lock))
    },
  ]
}
