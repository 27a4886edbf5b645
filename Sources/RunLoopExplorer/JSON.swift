import RunLoopTrace

/// A value of JSON: what reports, interrupted explorations and the messages between processes are made of.
public enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  /// In the order in which it is written.
  case object([Member])

  public struct Member: Equatable, Sendable {
    public var name: String
    public var value: JSON
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// A text that is no JSON, such as one that was cut short.
  public struct Malformed: Error, Equatable, Sendable {}

  // MARK: Reading values

  /// A member of an object; nil when there is none, or this is no object.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var integer: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// An array of whole numbers; nil when it is anything else.
  public var integers: [Int]? {
    guard case .array(let values) = self else { return nil }
    var result: [Int] = []
    result.reserveCapacity(values.count)
    for value in values {
      guard let number = value.integer else { return nil }
      result.append(number)
    }
    return result
  }

  /// An array of strings; nil when it is anything else.
  public var strings: [String]? {
    guard case .array(let values) = self else { return nil }
    let result = values.compactMap(\.string)
    return result.count == values.count ? result : nil
  }

  // MARK: Making values

  public static func integers(_ values: some Sequence<Int>) -> JSON { .array(values.map { .integer($0) }) }
  public static func strings(_ values: some Sequence<String>) -> JSON { .array(values.map { .string($0) }) }

  /// The value as text, in one line.
  public var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += Self.text(of: value)
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  /// What is no number is `null`, for JSON has no word for it.
  private static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    return value == value.rounded() && abs(value) < 9e15 ? "\(Int(value))" : "\(value)"
  }

  private static func write(_ value: String, to text: inout String) {
    var buffer = ByteBuffer()
    buffer.append(jsonString: value)
    text += buffer.text()
  }
}
