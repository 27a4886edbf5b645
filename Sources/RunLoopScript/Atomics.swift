import CLuaHost
import RunLoopEngine

/// Atomic variables.
enum Atomics {
  private static func parameter(_ name: StaticString, _ documentation: String) -> Parameter {
    .required(name, .luaNumber, documentation)
  }

  static let functions: [APIFunction] = [
    .function(
      "atomic",
      fields: [
        .optional("name", .name, default: "`atomic1`, …", "its name in the trace"),
        .optional("value", .luaNumber, default: "0", "its value at first, an integer or a float"),
      ], gives: ("rl.Atomic", "the new variable"), doc: "Makes a number that is read and changed in single steps."
    ) { session, arguments throws(APIError) in
      let value = arguments.isGiven(1) ? arguments.atomicValue(1) : .integer(0)
      let atomic = session.simulation.makeAtomic(name: try session.name(arguments, 0, .atomic), value: value)
      return .value(.object(.atomic, atomic.rawValue))
    },
    .method(.atomic, "load", gives: ("number", ""), doc: "Its value.") { _, arguments in arguments.atomic(.load) },
    .method(.atomic, "store", [parameter("value", "its new value")], doc: "Sets its value.") { _, arguments in
      arguments.atomic(.store(arguments.atomicValue(0)))
    },
    .method(
      .atomic, "add", [parameter("value", "what is added")], gives: ("number", "the sum: its new value"),
      doc: "Adds to its value."
    ) { _, arguments in arguments.atomic(.add(arguments.atomicValue(0))) },
    .method(
      .atomic, "exchange", [parameter("value", "its new value")], gives: ("number", "its old value"),
      doc: "Sets its value."
    ) { _, arguments in arguments.atomic(.exchange(arguments.atomicValue(0))) },
    .method(
      .atomic, "compareExchange", [parameter("expected", "what it must be"), parameter("new", "its new value")],
      gives: ("boolean", "whether it was set"), doc: "Sets its value if it is the expected one."
    ) { _, arguments in
      arguments.atomic(.compareExchange(expected: arguments.atomicValue(0), new: arguments.atomicValue(1)))
    },
    .function(
      "memoryBarrier",
      doc: "Orders this thread's accesses to memory. Here they are in order anyway; it orders nothing between threads."
    ) { _, _ in .operation(.memoryBarrier) },
  ]
}

extension Arguments {
  fileprivate func atomic(_ action: AtomicAction) -> Answer {
    .operation(.atomic(AtomicID(rawValue: receiver), action))
  }

  fileprivate func atomicValue(_ index: Int) -> AtomicValue {
    values[index].has(CLH_INTEGER) ? .integer(values[index].integer) : .float(values[index].number)
  }
}
