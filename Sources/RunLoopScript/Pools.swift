import CLuaHost
import RunLoopEngine

/// Autorelease pools that scripts make themselves.
enum Pools {
  static let functions: [APIFunction] = [
    .function(
      "autoreleasePool", [.required("fn", .function("fun(): ..."), "what to call")],
      gives: ("any ...", "what the function returns"),
      doc: "Calls a function within an autorelease pool, which is drained when it returns, or when an error leaves it."
    ) { _, arguments in .operation(.autoreleasePool(arguments.host(0))) },
    .function(
      "pool", [.optional("name", .name, default: "`pool1`, …", "its name in the trace")],
      gives: ("rl.Pool", "the new pool, the innermost of this thread"),
      doc: "Makes an autorelease pool, which takes what is autoreleased on this thread until it is drained.", run: make),
    .method(
      .pool, "drain", options: .position,
      doc:
        "Gives up the references it has, in order of autorelease, and those of the pools made after it on this thread. Draining twice, or another thread's pool, is an error."
    ) { _, arguments in .operation(.drain(PoolID(rawValue: arguments.receiver))) },
  ]

  private static func make(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let pool = session.simulation.pushPool(name: try session.name(arguments, 0, .pool), on: session.current)
    return .value(.object(.pool, pool.rawValue))
  }
}
