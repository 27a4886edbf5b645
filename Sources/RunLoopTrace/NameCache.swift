import RunLoopEngine

/// The names of one simulation as the text format writes them, quoted where needed: each is looked at once.
///
/// Names made from a kind and a counter are not kept; they are written from their parts.
final class NameCache {
  /// Where a name stands: its offset, above 24 bits of length + 1. 0: not known yet.
  private typealias Place = UInt64

  @exclusivity(unchecked) private var places: UnsafeMutablePointer<Place>
  @exclusivity(unchecked) private var placeCount: Int
  @exclusivity(unchecked) private var bytes: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var byteCount = 0
  @exclusivity(unchecked) private var byteCapacity: Int

  init() {
    placeCount = 64
    byteCapacity = 1024
    places = .allocate(capacity: placeCount)
    places.initialize(repeating: 0, count: placeCount)
    bytes = .allocate(capacity: byteCapacity)
    bytes.initialize(repeating: 0, count: byteCapacity)
  }

  deinit {
    places.deallocate()
    bytes.deallocate()
  }

  /// The name's bytes, valid until the next call; at least 16 may be read behind its start. Only for stored names.
  @inline(__always)
  func lookUp(_ name: NameID, _ names: borrowing NameTable) -> (start: UnsafePointer<UInt8>, length: Int) {
    let index = Int(name.rawValue)
    if _slowPath(index >= placeCount || places[index] == 0) { learn(name, names) }
    let place = places[index]
    return (UnsafePointer(bytes + Int(place >> 24)), Int(place & 0xFF_FFFF) &- 1)
  }

  @inline(never)
  private func learn(_ name: NameID, _ names: borrowing NameTable) {
    let index = Int(name.rawValue)
    if index >= placeCount {
      let larger = max(index + 1, placeCount * 2)
      let new = UnsafeMutablePointer<Place>.allocate(capacity: larger)
      new.initialize(repeating: 0, count: larger)
      new.update(from: places, count: placeCount)
      places.deallocate()
      places = new
      placeCount = larger
    }
    var text = ByteBuffer(capacity: 64)
    names.withUTF8(name) { text.append(value: $0) }
    places[index] = Place(byteCount) << 24 | Place(min(text.count, 0xFF_FFFE) + 1)
    keep(text)
  }

  private func keep(_ text: borrowing ByteBuffer) {
    if byteCount + text.count + 16 > byteCapacity {
      let larger = byteCapacity * 2 + text.count + 16
      let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
      new.initialize(repeating: 0, count: larger)
      new.update(from: bytes, count: byteCount)
      bytes.deallocate()
      bytes = new
      byteCapacity = larger
    }
    text.withBytes { (bytes + byteCount).update(from: $0.baseAddress!, count: $0.count) }
    byteCount += text.count
  }
}
