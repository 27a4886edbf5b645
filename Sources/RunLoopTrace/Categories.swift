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

  /// One line for a reader, without a full stop.
  public var message: String {
    if let nearest { return "unknown event category '\(name)'; did you mean '\(nearest)'?" }
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
      throw UnknownCategory(name: name, nearest: nearest(to: name, among: EventCategory.allCases.map(\.name) + ["all"]))
    }
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
