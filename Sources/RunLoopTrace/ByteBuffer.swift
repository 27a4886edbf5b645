/// A growable run of bytes that traces are rendered into.
///
/// It only grows: after the first few kilobytes appending allocates nothing.
public struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// How many bytes it holds.
  public private(set) var count = 0

  /// An empty buffer.
  ///
  /// - Parameter capacity: how many bytes fit before it has to grow.
  public init(capacity: Int = 1 << 12) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// Makes room for `extra` bytes and gives the place where they go.
  @inline(__always)
  mutating func room(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
    if _slowPath(count &+ extra > capacity) { grow(extra) }
    return base + count
  }

  /// Counts bytes that were written to the place that `room` gave.
  @inline(__always)
  mutating func advance(_ written: Int) { count &+= written }

  /// Counts the bytes up to a place behind the one that `room` gave.
  @inline(__always)
  mutating func advance(to place: UnsafeMutablePointer<UInt8>) { count = place - base }

  @inline(never)
  private mutating func grow(_ extra: Int) {
    let larger = max(capacity * 2, count + extra)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    new.update(from: base, count: count)
    base.deallocate()
    base = new
    capacity = larger
  }

  /// Appends one byte.
  @inline(__always)
  public mutating func append(_ byte: UInt8) {
    room(1).pointee = byte
    count &+= 1
  }

  /// Appends the text of a literal.
  @inline(__always)
  public mutating func append(_ literal: StaticString) {
    let length = literal.utf8CodeUnitCount
    room(length).update(from: literal.utf8Start, count: length)
    count &+= length
  }

  /// Appends bytes as they are.
  @inline(__always)
  public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    room(bytes.count).update(from: start, count: bytes.count)
    count &+= bytes.count
  }

  /// Appends a text as UTF-8.
  public mutating func append(text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Appends the same byte `times` times.
  public mutating func append(_ byte: UInt8, times: Int) {
    guard times > 0 else { return }
    room(times).update(repeating: byte, count: times)
    count &+= times
  }

  /// Forgets the bytes from `length` on.
  ///
  /// - Parameter length: at most `count`.
  public mutating func truncate(to length: Int) { count = length }

  /// Calls `body` with the bytes from `start` on.
  public func withBytes<R>(from start: Int = 0, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    body(UnsafeBufferPointer(start: base + start, count: count - start))
  }

  /// The bytes from `start` on, as a text.
  public func text(from start: Int = 0) -> String { withBytes(from: start) { String(decoding: $0, as: UTF8.self) } }
}
