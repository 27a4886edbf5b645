import CLuaHost
import RunLoopEngine
import RunLoopTrace

/// The event categories' names.
enum CategoryNames {
  static let all: [String] = EventCategory.allCases.map(\.name)

  /// The categories that a list of names means; "all" is allowed.
  static func parse(_ names: UnsafeBufferPointer<clh_value>) throws(APIError) -> EventCategories {
    var result: EventCategories = .none
    for item in names {
      do throws(UnknownCategory) {
        result.formUnion(try EventCategories(named: item.text))
      } catch {
        throw APIError(error.message)
      }
    }
    return result
  }

  /// What is traced: what the script chose, overruled by the command line. Of each, `show` means exactly these
  /// categories, less its own `hide`.
  static func selection(
    _ options: ScriptOptions, show: EventCategories? = nil, hide: EventCategories = .none
  ) -> EventCategories {
    var result = subtract(hide, from: show ?? options.configuration.tracing, shown: show != nil)
    let isShown = options.shownCategories != .none
    if isShown { result = options.shownCategories }
    result = subtract(options.hiddenCategories, from: result, shown: isShown)
    return result
  }

  /// Hiding all but what is shown is a way to say what to show.
  private static func subtract(
    _ hidden: EventCategories, from categories: EventCategories, shown: Bool
  ) -> EventCategories {
    shown && hidden == .all ? categories : categories.subtracting(hidden)
  }
}
