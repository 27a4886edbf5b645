import RunLoopEngine

/// A short text in four machine words, written by four stores.
struct Word: Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private(set) var length = 0

  /// - Parameter text: of at most 32 bytes.
  init(_ text: String) {
    precondition(text.utf8.count <= Word.room)
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: text.utf8) }
    length = text.utf8.count
  }

  /// - Parameter text: of at most 32 bytes.
  init(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: text) }
    length = text.count
  }

  /// Takes what was written before `end`.
  ///
  /// - Parameter start: a place where `room` bytes may be read.
  @inline(__always)
  init(from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>) {
    words = UnsafeRawPointer(start).loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self)
    length = end - start
  }

  /// How many bytes are written, whatever the length.
  static let room = 32

  @inline(__always)
  func write(to place: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(place).storeBytes(of: words, as: (UInt64, UInt64, UInt64, UInt64).self)
  }
}

/// The place where the next byte of a line goes. Whoever makes it has seen to the room.
struct LineCursor {
  private(set) var place: UnsafeMutablePointer<UInt8>

  init(_ place: UnsafeMutablePointer<UInt8>) { self.place = place }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    place.pointee = byte
    place += 1
  }

  @inline(__always)
  mutating func put(_ word: Word) {
    word.write(to: place)
    place += word.length
  }

  @inline(__always)
  mutating func put(_ start: Word, _ end: Word) {
    put(start)
    if end.length > 0 { put(end) }
  }

  @inline(__always)
  mutating func put(_ literal: StaticString) {
    let length = literal.utf8CodeUnitCount
    place.update(from: literal.utf8Start, count: length)
    place += length
  }

  /// Writes `length` bytes; 16 may be read and written whatever the length.
  @inline(__always)
  mutating func put(_ start: UnsafePointer<UInt8>, _ length: Int) {
    if _fastPath(length <= 16) {
      let pair = UnsafeRawPointer(start).loadUnaligned(as: (UInt64, UInt64).self)
      UnsafeMutableRawPointer(place).storeBytes(of: pair, as: (UInt64, UInt64).self)
    } else {
      place.update(from: start, count: length)
    }
    place += length
  }

  @inline(__always)
  mutating func put(decimal number: UInt64) {
    if _fastPath(number < 10) {
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
    } else {
      putLong(number)
    }
  }

  @inline(never)
  private mutating func putLong(_ number: UInt64) {
    place += writeDecimal(number, to: place)
  }

  mutating func put(signed number: Int64) {
    if number < 0 { put(UInt8(ascii: "-")) }
    put(decimal: number.magnitude)
  }

  /// Nanoseconds as seconds with nine decimals.
  @inline(__always)
  mutating func put(seconds nanoseconds: Int64) {
    if nanoseconds < 0 { put(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    put(decimal: magnitude / 1_000_000_000)
    writeFraction(UInt32(truncatingIfNeeded: magnitude % 1_000_000_000), to: place)
    place += 10
  }
}
