/// The activities of a run loop, as Core Foundation numbers them.
public struct Activities: OptionSet, Sendable, Hashable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let entry = Activities(rawValue: 1 << 0)
  public static let beforeTimers = Activities(rawValue: 1 << 1)
  public static let beforeSources = Activities(rawValue: 1 << 2)
  public static let beforeWaiting = Activities(rawValue: 1 << 5)
  public static let afterWaiting = Activities(rawValue: 1 << 6)
  public static let exit = Activities(rawValue: 1 << 7)
  public static let all = Activities(each)

  /// Each of them, in the order of a run.
  public static let each: [Activities] = [.entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit]

  /// The name of a single activity; "" for anything else. (By its bit: for each the set's constants were to be asked.)
  public var name: StaticString {
    switch rawValue {
    case 1 << 0: "entry"
    case 1 << 1: "beforeTimers"
    case 1 << 2: "beforeSources"
    case 1 << 5: "beforeWaiting"
    case 1 << 6: "afterWaiting"
    case 1 << 7: "exit"
    default: ""
    }
  }
}
