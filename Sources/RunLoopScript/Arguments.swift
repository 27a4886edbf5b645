import CLuaHost
import RunLoopEngine

/// The checked arguments of a call: one value a parameter, in the table's order. Only valid during the call.
struct Arguments {
  /// The number of the object whose method was called.
  let receiver: Int32
  /// The values of the parameters.
  let values: UnsafePointer<clh_value>
  /// Where the call stands, for functions that want to know.
  let place: clh_position

  subscript(index: Int) -> clh_value { values[index] }

  func isGiven(_ index: Int) -> Bool { !values[index].has(CLH_NIL) }

  /// A number, whether Lua has it as an integer or not.
  func number(_ index: Int) -> Double {
    values[index].has(CLH_INTEGER) ? Double(values[index].integer) : values[index].number
  }

  /// A number as Lua would print it, for messages.
  func text(_ index: Int) -> String {
    if values[index].has(CLH_INTEGER) { return "\(values[index].integer)" }
    let number = values[index].number
    if number == number.rounded(), abs(number) < 1e15 { return "\(Int64(number))" }
    return "\(number)"
  }

  /// An optional number.
  func number(_ index: Int, default standard: Double) -> Double { isGiven(index) ? number(index) : standard }

  /// Seconds as nanoseconds: the one place where scripts' times are rounded.
  func nanoseconds(_ index: Int) -> Nanoseconds { Nanoseconds(seconds: number(index)) }

  func nanoseconds(_ index: Int, default standard: Nanoseconds) -> Nanoseconds {
    isGiven(index) ? nanoseconds(index) : standard
  }

  func integer(_ index: Int, default standard: Int64) -> Int64 { isGiven(index) ? values[index].integer : standard }

  func boolean(_ index: Int, default standard: Bool) -> Bool {
    isGiven(index) ? values[index].integer != 0 : standard
  }

  /// A function or any other kept value; `none` for nil.
  func host(_ index: Int) -> HostValue { HostValue(values[index]) }

  /// The number of an object; -1 when it is left out.
  func object(_ index: Int) -> Int32 { isGiven(index) ? Int32(truncatingIfNeeded: values[index].integer) : -1 }

  /// The bytes of a string, or the text of a value that came with one. Empty for nil.
  func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> { values[index].utf8 }

  func string(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// The strings of a list, or of a string alone.
  func strings(_ index: Int) -> UnsafeBufferPointer<clh_value> {
    let value = values + index
    if value.pointee.has(CLH_LIST) {
      return UnsafeBufferPointer(start: value.pointee.items, count: value.pointee.length)
    }
    return UnsafeBufferPointer(start: value, count: isGiven(index) ? 1 : 0)
  }
}

extension Arguments {
  /// - Parameter values: as C hands them over: a method's receiver stands before its parameters. Without either the
  ///   pointer may be nil, and is not read.
  @inline(__always)
  init(_ values: UnsafePointer<clh_value>?, isMethod: Bool, place: clh_position) {
    let values = values ?? UnsafePointer(bitPattern: MemoryLayout<clh_value>.alignment).unsafelyUnwrapped
    receiver = isMethod ? Int32(truncatingIfNeeded: values.pointee.integer) : -1
    self.values = isMethod ? values + 1 : values
    self.place = place
  }
}

extension clh_value {
  /// The bytes of a string. Empty for what has none.
  var utf8: UnsafeBufferPointer<UInt8> {
    guard let bytes, length > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(start: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), count: length)
  }
}
