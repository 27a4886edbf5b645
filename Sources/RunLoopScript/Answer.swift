import CLuaHost
import RunLoopEngine

/// What a call of the table leads to.
enum Answer {
  /// It is done and gives nothing.
  case nothing
  /// It is done and gives one value.
  case value(clh_value)
  /// The same, of something that other threads may change.
  case look(Subject, clh_value)
  /// Before it is done another thread may go on, in the explored mode: the function is to be called once more then.
  case first(Subject)
  /// The engine is to do it; its result is the call's.
  case operation(Operation)
  /// The engine is to do it; the call gives this value in place of nothing.
  case operationThen(Operation, clh_value)
}

/// What is wrong with a call; raised in the script as an error, with the function's name before it.
struct APIError: Error {
  var text: String
  init(_ text: String) { self.text = text }
}

extension clh_value {
  @inline(__always) private init(_ tag: clh_tag) {
    self.init()
    self.tag = Int32(truncatingIfNeeded: tag.rawValue)
  }

  static var null: clh_value { clh_value(CLH_NIL) }

  static func boolean(_ value: Bool) -> clh_value {
    var result = clh_value(CLH_BOOLEAN)
    result.integer = value ? 1 : 0
    return result
  }

  static func integer(_ value: Int64) -> clh_value {
    var result = clh_value(CLH_INTEGER)
    result.integer = value
    return result
  }

  static func number(_ value: Double) -> clh_value {
    var result = clh_value(CLH_NUMBER)
    result.number = value
    return result
  }

  /// Bytes that stay where they are until C has taken them.
  static func string(_ bytes: UnsafePointer<CChar>, _ length: Int) -> clh_value {
    var result = clh_value(CLH_STRING)
    result.bytes = bytes
    result.length = length
    return result
  }

  static func string(_ text: StaticString) -> clh_value {
    text.withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { .string($0.baseAddress!, $0.count) }
    }
  }

  static func object(_ kind: ObjectKind, _ id: Int32) -> clh_value {
    var result = clh_value(CLH_OBJECT)
    result.kind = kind.rawValue
    result.integer = Int64(id)
    return result
  }

  /// A kept value; with `givenUp`, C releases it once it was pushed.
  static func host(_ value: HostValue, givenUp: Bool = false) -> clh_value {
    if value.isNone { return .null }
    var result = clh_value(value.isPacked ? CLH_PACKED : CLH_REFERENCE)
    result.integer = Int64(value.reference)
    result.kind = givenUp ? 1 : 0
    return result
  }

  @inline(__always) func has(_ wanted: clh_tag) -> Bool { tag == Int32(truncatingIfNeeded: wanted.rawValue) }
}

/// How the session uses the engine's host values: a reference of the C host above two flag bits. 0 is nil.
extension HostValue {
  private static let packed: Int64 = 1
  private static let bare: Int64 = 2

  @inline(__always) init(reference: Int64, isPacked: Bool = false) {
    self.init(rawValue: reference << 2 | (isPacked ? Self.packed : 0))
  }

  @inline(__always) var reference: Int32 { Int32(truncatingIfNeeded: rawValue >> 2) }
  /// A list of values kept as one.
  @inline(__always) var isPacked: Bool { rawValue & Self.packed != 0 }
  @inline(__always) var isNone: Bool { rawValue == 0 }

  /// An entry function that is called without its thread (`rl.performInBackground`).
  @inline(__always) var isBare: Bool { rawValue & Self.bare != 0 }
  var asBare: HostValue { HostValue(rawValue: rawValue | Self.bare) }

  /// A value C hands over: nil, or something kept.
  @inline(__always) init(_ value: clh_value) {
    if value.has(CLH_NIL) {
      self = .none
    } else {
      self.init(reference: value.integer, isPacked: value.has(CLH_PACKED))
    }
  }
}
