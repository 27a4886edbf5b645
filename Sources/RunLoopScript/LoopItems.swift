import CLuaHost
import RunLoopEngine

/// What a run loop's modes hold: adding, removing and asking, the same for each kind of item.
enum LoopItems {
  static let functions: [APIFunction] =
    methods(.source, or: .messagePort, "a source", "addSource", "removeSource", "containsSource")
    + methods(.timer, "a timer", "addTimer", "removeTimer", "containsTimer")
    + methods(.observer, "an observer", "addObserver", "removeObserver", "containsObserver")
    + methods(.port, or: .messagePort, "a port", "addPort", "removePort", "containsPort")

  private static func methods(
    _ kind: ObjectKind, or other: ObjectKind? = nil, _ article: StaticString, _ add: StaticString,
    _ remove: StaticString, _ contains: StaticString
  ) -> [APIFunction] {
    let type = other.map { ValueType.object(kind, or: $0, article) } ?? .object(kind, article)
    let parameters: [Parameter] = [
      .required(kind.name, type, other == nil ? "\(article)" : "\(article), or a message port"),
      .optional("mode", .mode, default: "\"default\"", "the mode; \"common\" stands for all common modes"),
    ]
    return [
      .method(.loop, add, parameters, options: .position, doc: "Adds \(article) to a mode.") {
        session, arguments throws(APIError) in
        .operation(.add(item(arguments), arguments.loop, mode: try session.mode(arguments, 1)))
      },
      .method(.loop, remove, parameters, doc: "Takes \(article) out of a mode.") {
        session, arguments throws(APIError) in
        .operation(.remove(item(arguments), arguments.loop, mode: try session.mode(arguments, 1)))
      },
      .method(
        .loop, contains, parameters, gives: ("boolean", ""), doc: "Whether a mode has \(article)."
      ) { session, arguments throws(APIError) in
        .operation(.contains(item(arguments), arguments.loop, mode: try session.mode(arguments, 1)))
      },
    ]
  }

  private static func item(_ arguments: Arguments) -> Item {
    let id = arguments.object(0)
    switch ObjectKind(rawValue: arguments[0].kind) {
    case .source: return .source(SourceID(rawValue: id))
    case .port, .messagePort: return .port(PortID(rawValue: id))
    case .timer: return .timer(TimerID(rawValue: id))
    default: return .observer(ObserverID(rawValue: id))
    }
  }
}
