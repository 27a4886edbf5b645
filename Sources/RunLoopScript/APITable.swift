import RunLoopEngine

/// A field of `rl` that is no function.
public struct APIConstant: Sendable {
  public let name: StaticString
  /// Its type, as the definition file writes it.
  public let luaType: String
  public let documentation: String
}

/// A name for a type of strings.
public struct APIAlias: Sendable {
  public let name: String
  public let values: [String]
  /// Whether other strings are allowed too.
  public let isOpen: Bool
  public let documentation: String

  init(_ name: String, _ values: [String], isOpen: Bool = false, _ documentation: String) {
    self.name = name
    self.values = values
    self.isOpen = isOpen
    self.documentation = documentation
  }
}

/// Everything that stands in `rl`.
public enum APITable {
  /// All functions and methods. Their indices are the function numbers of the C host.
  public static let functions: [APIFunction] = {
    let groups = [
      TopLevel.functions, Threads.functions, Performs.functions, Loops.functions, LoopItems.functions,
      Sources.functions, Ports.functions, MessagePorts.functions, PortServer.functions, Machine.functions,
      Objects.functions, Pools.functions, Notifications.functions, Timers.functions, Observers.functions,
      MainQueue.functions, Mutexes.functions, ReadWriteLocks.functions, Conditions.functions, Semaphores.functions,
      Guards.functions, Atomics.functions, SharedMemory.functions,
    ]
    // Sums of arrays would copy the first ones again and again: a tenth of the time to start.
    var all: [APIFunction] = []
    all.reserveCapacity(groups.reduce(0) { $0 + $1.count })
    for group in groups { all += group }
    return all
  }()

  /// The fields that are no functions.
  public static let constants: [APIConstant] = [
    APIConstant(
      name: "distantFuture", luaType: "number", documentation: "A date that never comes: `math.huge`."),
    APIConstant(
      name: "distantPast", luaType: "number", documentation: "A date before every other: `-math.huge`."),
    APIConstant(
      name: "args", luaType: "string[]", documentation: "What stood after `--` on the command line."),
    APIConstant(
      name: "mainThread", luaType: "rl.Thread", documentation: "The thread that runs the script's main chunk."),
    APIConstant(name: "mainLoop", luaType: "rl.Loop", documentation: "The main thread's run loop."),
    APIConstant(
      name: "mainQueue", luaType: "rl.MainQueue",
      documentation: "The queue that the main run loop serves in its common modes."),
    APIConstant(
      name: "notifications", luaType: "rl.Notifications",
      documentation: "The notification centre: observers are called by whoever posts."),
    APIConstant(
      name: "portServer", luaType: "rl.PortServer", documentation: "Finds ports by name (NSPortNameServer)."),
  ]

  /// Names that stand for types of strings in the definition file, with their values.
  public static let aliases: [APIAlias] = [
    APIAlias(
      "rl.Mode", ModeNames.known.map { "\($0)" }, isOpen: true,
      "The name of a run loop mode; any other string is a mode too."),
    APIAlias("rl.Activity", Activities.each.map { "\($0.name)" }, "An activity of a run loop."),
    APIAlias("rl.RunResult", ["finished", "stopped", "timedOut", "handledSource"], "Why a run ended."),
    APIAlias(
      "rl.RequestRefusal", ["sendTimeout", "receiveTimeout", "invalid", "becameInvalid"],
      "Why a request to a message port got no reply."),
    APIAlias("rl.Profile", ["apple", "linux", "guide"], "Whose run loop is simulated."),
    APIAlias("rl.Category", CategoryNames.all + ["all"], "A category of trace events."),
  ]

  /// The kinds that have methods, and the one that scripts only hand back, in the order of their numbers.
  public static var kinds: [ObjectKind] {
    ObjectKind.allCases.filter { kind in kind == .token || functions.contains { $0.owner == kind } }
  }
}
