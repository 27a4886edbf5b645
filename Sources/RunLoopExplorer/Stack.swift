/// Plain values in one block of memory, added and taken away at the end.
///
/// An array would ask on every write whether somebody else has it, too. A stack has one owner, so a write is a write; and
/// what was taken away leaves its room for what comes.
///
/// The type of the elements is nowhere private: without optimization, Swift 6.3 then fails on who holds such a stack from
/// another file.
struct Stack<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 32) {
    self.capacity = max(1, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  @inline(__always) var isEmpty: Bool { count == 0 }
  @inline(__always) var indices: Range<Int> { 0..<count }
  @inline(__always) var last: Element? { count > 0 ? base[count - 1] : nil }

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
    if count == capacity { grow(to: count + 1) }
    base[count] = element
    count += 1
  }

  /// Adds an element, unless it is there already. O(n).
  @inline(__always)
  mutating func insert(_ element: Element) where Element: Equatable {
    for index in 0..<count where base[index] == element { return }
    append(element)
  }

  /// Adds so many elements whose values are still to be set, and says where they are. The pointer holds until the next
  /// change.
  @inline(__always)
  mutating func extend(by extra: Int) -> UnsafeMutablePointer<Element> {
    if count + extra > capacity { grow(to: count + extra) }
    count += extra
    return base + (count - extra)
  }

  /// Where an element is. The pointer holds until the next change of the size.
  @inline(__always)
  func pointer(to index: Int) -> UnsafeMutablePointer<Element> {
    assert(index >= 0 && index <= count, "no such element")
    return base + index
  }

  /// Takes the last elements away, down to so many.
  @inline(__always)
  mutating func shorten(to count: Int) {
    assert(count <= self.count, "there are not so many")
    self.count = count
  }

  /// Becomes so many elements of one value.
  @inline(__always)
  mutating func fill(_ count: Int, with value: Element) {
    if count > capacity { grow(to: count) }
    base.update(repeating: value, count: count)
    self.count = count
  }

  /// Some of them that follow each other, until the stack changes.
  @inline(__always)
  func elements(_ range: Range<Int>) -> UnsafeBufferPointer<Element> {
    assert(range.upperBound <= count, "no such elements")
    return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// All of them, until the stack changes.
  @inline(__always)
  var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

  /// Puts them in ascending order.
  mutating func sort() where Element: Comparable {
    guard count > 1 else { return }
    var elements = UnsafeMutableBufferPointer(start: base, count: count)
    elements.sort()
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    capacity = max(needed, capacity * 2)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}

extension Array {
  /// Takes the last elements away, down to so many. (`removeSubrange` and the like do much more than that.)
  @inline(__always)
  mutating func shorten(to count: Int) {
    while self.count > count { removeLast() }
  }

  /// Empties it and keeps the memory. (For the few elements that there mostly are, this is less than what `removeAll` does.)
  @inline(__always)
  mutating func empty() {
    if count > 8 { removeAll(keepingCapacity: true) } else { shorten(to: 0) }
  }
}
