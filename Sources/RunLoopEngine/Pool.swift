/// Flat storage for what a simulation holds: elements in one block of memory, reached by integer handles.
///
/// An array would ask on every write whether it is shared. A pool has one owner, the `System`, which is copied as a
/// whole by `clone()`; so a write is a write.
struct Pool<Element>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private(set) var count: Int
  private var capacity: Int

  /// An empty pool takes no memory: a system has many, and each copy of it has them again.
  init(capacity: Int = 0) {
    base = capacity > 0 ? Self.allocate(capacity) : Self.nowhere
    count = 0
    self.capacity = capacity
  }

  deinit {
    guard capacity > 0 else { return }
    base.deinitialize(count: count)
    base.deallocate()
  }

  private static var nowhere: UnsafeMutablePointer<Element> {
    UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }

  /// Elements as large as cache lines begin where those do.
  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Element> {
    let stride = MemoryLayout<Element>.stride
    let alignment = stride % 64 == 0 ? 64 : MemoryLayout<Element>.alignment
    return UnsafeMutableRawPointer.allocate(byteCount: capacity * stride, alignment: alignment)
      .bindMemory(to: Element.self, capacity: capacity)
  }

  /// Takes the same elements as another pool.
  ///
  /// - Complexity: O(n).
  mutating func assign(_ other: borrowing Pool) {
    if count == 0, other.count == 0 { return }
    if !_isPOD(Element.self), count == other.count { return update(other) }
    if count > 0 { base.deinitialize(count: count) }
    if other.count > capacity {
      if capacity > 0 { base.deallocate() }
      capacity = max(4, other.count)
      base = Self.allocate(capacity)
    }
    count = other.count
    if count > 0 { base.initialize(from: other.base, count: count) }
  }

  /// The same with as many elements that own memory. Most are as they were: what is the same to the bit is the same, and
  /// to see that takes less than to count references.
  private mutating func update(_ other: borrowing Pool) {
    for index in 0..<count { update(index, other) }
  }

  /// Takes one element of a pool that has as many.
  @inline(__always)
  mutating func update(_ index: Int, _ other: borrowing Pool) { Bits.assign(base + index, other.base + index) }

  /// Bytes that its elements take.
  var bytes: Int { count * MemoryLayout<Element>.stride }

  @inline(__always) var isEmpty: Bool { count == 0 }
  @inline(__always) var indices: Range<Int> { 0..<count }

  @inline(__always)
  subscript(index: Int) -> Element {
    unsafeAddress {
      assert(index >= 0 && index < count, "no such element")
      return UnsafePointer(base + index)
    }
    unsafeMutableAddress {
      assert(index >= 0 && index < count, "no such element")
      return base + index
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    (base + count).initialize(to: element)
    count += 1
  }

  /// Takes all elements away, and keeps the memory. They are plain values.
  @inline(__always)
  mutating func empty() {
    assert(_isPOD(Element.self), "something has to be done for each of them")
    count = 0
  }

  /// Where the elements are, until the pool changes.
  @inline(__always)
  var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

  @inline(never)
  private mutating func grow() {
    let isNew = capacity == 0
    capacity = max(4, capacity * 2)
    let larger = Self.allocate(capacity)
    larger.moveInitialize(from: base, count: count)
    if !isNew { base.deallocate() }
    base = larger
  }

  @inline(__always)
  mutating func removeLast() -> Element {
    count -= 1
    return (base + count).move()
  }
}

extension Pool where Element: Equatable {
  /// Whether both hold equal elements.
  ///
  /// - Complexity: O(n).
  func isSame(as other: borrowing Pool) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}

extension Array {
  /// Takes the same elements as another array, in the memory that it has.
  mutating func assign(_ other: [Element]) {
    empty()
    if !other.isEmpty { append(contentsOf: other) }
  }

  /// Empties it and keeps the memory. Nothing is to be done when it is empty, as it mostly is; and to take away a few costs
  /// less than what `removeAll` does.
  @inline(__always)
  mutating func empty() {
    if count > 8 { return removeAll(keepingCapacity: true) }
    while !isEmpty { removeLast() }
  }
}

/// What is the same to the bit is the same: of values that own memory, and mostly are as they were, copies are made only
/// where they differ. To see that takes less than to count references.
enum Bits {
  @inline(__always)
  static func assign<Value>(_ own: UnsafeMutablePointer<Value>, _ other: UnsafePointer<Value>) {
    let (bits, others) = (UnsafeRawPointer(own), UnsafeRawPointer(other))
    let size = MemoryLayout<Value>.size
    var offset = 0
    while offset &+ 8 <= size {
      if bits.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != others.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return copy(own, other)
      }
      offset = offset &+ 8
    }
    while offset < size {
      if bits.load(fromByteOffset: offset, as: UInt8.self) != others.load(fromByteOffset: offset, as: UInt8.self) {
        return copy(own, other)
      }
      offset = offset &+ 1
    }
  }

  /// All bits, of what lies between the fields as well: or they would differ for ever.
  @inline(__always)
  private static func copy<Value>(_ own: UnsafeMutablePointer<Value>, _ other: UnsafePointer<Value>) {
    own.update(from: other, count: 1)
    UnsafeMutableRawPointer(own).copyMemory(from: other, byteCount: MemoryLayout<Value>.size)
  }

  /// The other is only read: it is `inout` so that nobody copies it to lend it.
  @inline(__always)
  static func assign<Value>(_ own: inout Value, _ other: inout Value) {
    withUnsafeMutablePointer(to: &other) { other in withUnsafeMutablePointer(to: &own) { assign($0, other) } }
  }
}
