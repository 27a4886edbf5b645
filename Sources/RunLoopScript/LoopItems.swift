import CLuaHost
import RunLoopEngine

/// What a run loop's modes hold: adding, removing and asking, the same for each kind of item.
enum LoopItems {
  static let functions: [APIFunction] =
    methods(.source, "a source", "addSource", "removeSource", "containsSource")
    + methods(.timer, "a timer", "addTimer", "removeTimer", "containsTimer")
    + methods(.observer, "an observer", "addObserver", "removeObserver", "containsObserver")
    + methods(.port, "a port", "addPort", "removePort", "containsPort")

  private static func methods(
    _ type: ObjectKind, _ article: StaticString, _ add: StaticString, _ remove: StaticString, _ contains: StaticString
  ) -> [APIFunction] {
    let parameters: [Parameter] = [
      .required(type.name, .object(type, article), "\(article)"),
      .optional("mode", .mode, default: "\"default\"", "the mode; \"common\" stands for all common modes"),
    ]
    return [
      .method(.loop, add, parameters, options: .position, doc: "Adds \(article) to a mode.") {
        session, arguments throws(APIError) in
        .operation(.add(item(type, arguments), arguments.loop, mode: try session.mode(arguments, 1)))
      },
      .method(.loop, remove, parameters, doc: "Takes \(article) out of a mode.") {
        session, arguments throws(APIError) in
        .operation(.remove(item(type, arguments), arguments.loop, mode: try session.mode(arguments, 1)))
      },
      .method(
        .loop, contains, parameters, gives: ("boolean", ""), doc: "Whether a mode has \(article)."
      ) { session, arguments throws(APIError) in
        .operation(.contains(item(type, arguments), arguments.loop, mode: try session.mode(arguments, 1)))
      },
    ]
  }

  private static func item(_ kind: ObjectKind, _ arguments: Arguments) -> Item {
    let id = arguments.object(0)
    switch kind {
    case .source: return .source(SourceID(rawValue: id))
    case .port: return .port(PortID(rawValue: id))
    case .timer: return .timer(TimerID(rawValue: id))
    default: return .observer(ObserverID(rawValue: id))
    }
  }
}
