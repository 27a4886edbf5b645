import RunLoopEngine

extension EventCategory {
  /// The category as `--show`, `--hide` and `rl.trace` name it.
  public var name: String {
    switch self {
    case .thread: "thread"
    case .run: "run"
    case .activity: "activity"
    case .observer: "observer"
    case .timer: "timer"
    case .source: "source"
    case .port: "port"
    case .block: "block"
    case .loop: "loop"
    case .lock: "lock"
    case .memory: "memory"
    case .access: "access"
    case .log: "log"
    case .fault: "fault"
    case .schedule: "schedule"
    case .notification: "notification"
    }
  }
}

/// A word that names no category, and the one that was perhaps meant.
public struct UnknownCategory: Error, Equatable {
  /// The word.
  public let name: String
  /// A category that is spelt nearly so.
  public let nearest: String?
  /// The category of events that are called so.
  public var categoryOfEvent: String?

  /// One line for a reader, without a full stop.
  public var message: String {
    let name = Shown.name(name)
    if let categoryOfEvent {
      return "unknown event category '\(name)'; that is an event of category '\(categoryOfEvent)'"
    }
    if let nearest { return "unknown event category '\(name)'; did you mean '\(nearest)'?" }
    if name.isEmpty { return "an event category is missing, before a comma, after it, or at all" }
    let known = EventCategory.allCases.map(\.name).joined(separator: ", ")
    return "unknown event category '\(name)'; there are: \(known), all"
  }
}

extension EventCategories {
  /// Reads a category's name, or `all`.
  public init(named name: String) throws(UnknownCategory) {
    if name == "all" {
      self = .all
    } else if let category = EventCategory.allCases.first(where: { $0.name == name }) {
      self.init(category)
    } else {
      throw UnknownCategory(
        name: name, nearest: nearest(to: name, among: EventCategory.allCases.map(\.name) + ["all"]),
        categoryOfEvent: Self.category(ofEvent: name))
    }
  }

  /// The category of the events with a name (`perform`, `loop.stop`), or with this as a part of it (`stop`, `semaphore`).
  private static func category(ofEvent name: String) -> String? {
    let found = EventKind.allCases.filter { kind in
      let event = "\(EventGrammar[kind].name)"
      return event == name || event.hasPrefix(name + ".") || event.hasSuffix("." + name)
    }
    guard let category = found.first?.category, found.allSatisfy({ $0.category == category }) else { return nil }
    return category.name
  }

  /// Reads a list such as `timer,source`; spaces around names do not count.
  public init(list: String) throws(UnknownCategory) {
    self = .none
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      formUnion(try EventCategories(named: String(part.trimmed)))
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var rest = self
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
