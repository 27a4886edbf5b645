#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSON: Decodable {
  /// Reads a text that is one value.
  public init(_ bytes: [UInt8]) throws(Malformed) {
    do {
      self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    } catch {
      throw Malformed()
    }
  }

  /// What most values are comes first, as each attempt that fails costs an error. Members of objects come in the order of
  /// their names: Foundation does not tell that of the text.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let integers = try? value.decode([Int].self) {
      self = .integers(integers)
    } else if let values = try? value.decode([JSON].self) {
      self = .array(values)
    } else if let members = try? value.decode([String: JSON].self) {
      self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if value.decodeNil() {
      self = .null
    } else {
      self = .number(try value.decode(Double.self))
    }
  }
}
