/// A number for a sequence of events: the same for the same text trace.
public struct OrderHash {
  private var hash: UInt64

  /// The number of the sequence with one event more.
  public static func add(_ event: Event, of simulation: borrowing Simulation, to hash: UInt64) -> UInt64 {
    let system = simulation.shared
    var order = OrderHash(hash: hash)
    order.mix(
      UInt64(event.kind.rawValue) | UInt64(event.flags) << 8 | UInt64(UInt32(bitPattern: event.thread.rawValue)) << 16)
    order.mix(UInt64(bitPattern: event.time))
    if event.subject != .none { system.pointee.names.mix(event.subject, into: &order) }
    if event.mode != .none { system.pointee.names.mix(event.mode, into: &order) }
    if event.other != .none { system.pointee.names.mix(event.other, into: &order) }
    order.mix(UInt64(bitPattern: event.a))
    order.mix(UInt64(bitPattern: event.b))
    order.mix(UInt64(bitPattern: event.c))
    for index in Int(event.textStart)..<Int(event.textStart + event.textLength) {
      order.mix(UInt64(system.pointee.text[index]))
    }
    return order.hash
  }

  @inline(__always)
  fileprivate mutating func mix(_ value: UInt64) {
    hash = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }
}

extension NameTable {
  /// Adds the text of a name, as UTF-8 that is valid. (`mutating`, so that nobody counts references for it.)
  fileprivate mutating func mix(_ name: NameID, into order: inout OrderHash) {
    if let range = plainText(of: name) {
      for index in range { order.mix(UInt64(byte(index))) }
    } else {
      for byte in self[name].utf8 { order.mix(UInt64(byte)) }
    }
  }
}
