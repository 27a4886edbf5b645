import CLuaHost

/// What a parameter accepts: for the C host, which checks it, and for the documentation.
public struct ValueType: Sendable {
  var accepts: UInt32
  var kinds: UInt64 = 0
  /// In words, for messages: "a number of seconds".
  public let expected: StaticString
  /// As a type of the definition file: "number".
  public let luaType: String

  private init(_ accepts: Int, _ expected: StaticString, _ luaType: String) {
    self.accepts = UInt32(accepts)
    self.expected = expected
    self.luaType = luaType
  }

  static let string = ValueType(CLH_ACCEPT_STRING, "a string", "string")
  static let name = ValueType(CLH_ACCEPT_STRING, "a name (a string)", "string")
  static let seconds = ValueType(CLH_ACCEPT_NUMBER, "a number of seconds", "number")
  static let date = ValueType(CLH_ACCEPT_NUMBER, "a date (seconds since the start of the run)", "number")
  static let number = ValueType(CLH_ACCEPT_NUMBER, "a number", "number")
  /// A number that stays an integer if it is one.
  static let luaNumber = ValueType(CLH_ACCEPT_NUMBER | CLH_ACCEPT_INTEGER, "a number", "number")
  static let integer = ValueType(CLH_ACCEPT_INTEGER, "an integer", "integer")
  static let boolean = ValueType(CLH_ACCEPT_BOOLEAN, "true or false", "boolean")
  /// Any value, taken as true or false.
  static let truth = ValueType(CLH_ACCEPT_TRUTH, "a condition", "any")
  static let any = ValueType(CLH_ACCEPT_ANY, "a value", "any")
  /// Any value, handed over with its text.
  static let anyWithText = ValueType(CLH_ACCEPT_ANY | CLH_WITH_TEXT, "a value", "any")
  /// Any value, handed over with its text while accesses are traced.
  static let anyWithTracedText = ValueType(CLH_ACCEPT_ANY | CLH_TEXT_IF_WANTED, "a value", "any")
  /// Any value but nil and NaN, handed over as the number that stands for it.
  static let identity = ValueType(CLH_ACCEPT_IDENTITY, "a value that stands for itself (not nil, not NaN)", "any")
  /// All arguments from here on, as one kept list.
  static let rest = ValueType(CLH_ACCEPT_REST, "values", "any")
  /// All arguments from here on, as one text.
  static let texts = ValueType(CLH_ACCEPT_TEXTS, "values", "any")
  static let strings = ValueType(
    CLH_ACCEPT_STRING | CLH_ACCEPT_STRINGS, "a list of strings", "string|string[]")

  static let mode = ValueType(CLH_ACCEPT_STRING, "the name of a mode", "rl.Mode")
  static let modes = ValueType(
    CLH_ACCEPT_STRING | CLH_ACCEPT_STRINGS, "the name of a mode or a list of names", "rl.Mode|rl.Mode[]")
  static let activities = ValueType(
    CLH_ACCEPT_STRING | CLH_ACCEPT_STRINGS, "\"all\" or a list of activities", "\"all\"|rl.Activity|rl.Activity[]")
  static let categories = ValueType(
    CLH_ACCEPT_STRING | CLH_ACCEPT_STRINGS, "a list of event categories", "rl.Category|rl.Category[]")
  static let profile = ValueType(CLH_ACCEPT_STRING, "the name of a profile", "rl.Profile")

  /// A function; `signature` as the definition file writes it: "fun(timer: rl.Timer)".
  static func function(_ signature: String = "fun()") -> ValueType {
    ValueType(CLH_ACCEPT_FUNCTION, "a function", signature)
  }

  /// An object of a kind.
  static func object(_ kind: ObjectKind, _ expected: StaticString) -> ValueType {
    var type = ValueType(CLH_ACCEPT_OBJECT, expected, kind.className)
    type.kinds = kind.bit
    return type
  }

  /// An object of one of two kinds.
  static func object(_ kind: ObjectKind, or other: ObjectKind, _ expected: StaticString) -> ValueType {
    var type = ValueType(CLH_ACCEPT_OBJECT, expected, "\(kind.className)|\(other.className)")
    type.kinds = kind.bit | other.bit
    return type
  }

  /// Any value; an object of a kind as such.
  static func any(or kind: ObjectKind) -> ValueType {
    var type = ValueType(CLH_ACCEPT_ANY | CLH_ACCEPT_OBJECT, "a value", "any")
    type.kinds = kind.bit
    return type
  }

  /// The same, for a parameter that may be left out although others follow.
  var mayBeLeftOut: ValueType {
    var copy = self
    copy.accepts |= UInt32(CLH_MAY_BE_LEFT_OUT)
    return copy
  }

  /// Whether the arguments after it may stand in its place.
  public var canBeLeftOut: Bool { accepts & UInt32(CLH_MAY_BE_LEFT_OUT) != 0 }

  /// Whether it stands for all arguments from here on.
  public var isRest: Bool { accepts & UInt32(CLH_ACCEPT_REST | CLH_ACCEPT_TEXTS) != 0 }
}

/// A parameter of a function, or a field of its table.
public struct Parameter: Sendable {
  public let name: StaticString
  public let type: ValueType
  public let isRequired: Bool
  /// What holds when it is left out; nil where nothing takes its place.
  public let standard: String?
  /// A sentence about it.
  public let documentation: String

  static func required(_ name: StaticString, _ type: ValueType, _ documentation: String) -> Parameter {
    Parameter(name: name, type: type, isRequired: true, standard: nil, documentation: documentation)
  }

  static func optional(
    _ name: StaticString, _ type: ValueType, default standard: String? = nil, _ documentation: String
  ) -> Parameter {
    Parameter(name: name, type: type, isRequired: false, standard: standard, documentation: documentation)
  }
}
