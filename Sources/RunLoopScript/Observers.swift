import CLuaHost
import RunLoopEngine

/// Run loop observers.
enum Observers {
  static let functions: [APIFunction] = [
    .function(
      "observer",
      fields: [
        .optional("name", .name, default: "`observer1`, …", "its name in the trace"),
        .optional("activities", .activities, default: "\"all\"", "what it wants to be told"),
        .optional("repeats", .boolean, default: "true", "whether it is told more than once"),
        .optional("order", .integer, default: "0", "observers with lower orders are told first"),
        .optional(
          "handler", .function("fun(activity: rl.Activity, observer: rl.Observer, loop: rl.Loop)"), default: "nothing",
          "what it calls"),
      ], options: [.fieldsRequired, .position], gives: ("rl.Observer", "the new observer"),
      doc: "Makes an observer, which `loop:addObserver` adds.", run: make),
    .method(.observer, "invalidate", doc: "Takes it out of its loop for good.") { _, arguments in
      .operation(.invalidate(.observer(arguments.observer)))
    },
    .method(.observer, "isValid", gives: ("boolean", ""), doc: "Whether it was not invalidated.") {
      session, arguments in
      .look(.item(.observer(arguments.observer)), .boolean(session.simulation.isValid(.observer(arguments.observer))))
    },
  ]

  private static func make(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let activities = arguments.isGiven(1) ? try activities(arguments.strings(1)) : .all
    let observer = session.simulation.makeObserver(
      name: try session.name(arguments, 0, .observer), activities: activities,
      repeats: arguments.boolean(2, default: true), order: arguments.integer(3, default: 0),
      handler: arguments.host(4), at: session.position(arguments.place))
    return .value(.object(.observer, observer.rawValue))
  }

  private static func activities(_ names: UnsafeBufferPointer<clh_value>) throws(APIError) -> Activities {
    if names.isEmpty { throw APIError("activities must name at least one activity") }
    var result: Activities = []
    for item in names {
      let name = item.text
      if name == "all" {
        result.formUnion(.all)
      } else if let activity = Activities.each.first(where: { $0.name.equals(item.utf8) }) {
        result.formUnion(activity)
      } else {
        throw Spelling.unknown("activity", name, among: Activities.each.map { "\($0.name)" } + ["all"])
      }
    }
    return result
  }
}

extension Arguments {
  /// The observer whose method was called.
  var observer: ObserverID { ObserverID(rawValue: receiver) }
}
