/// For each object the place of its last access in a trail; -1 where there is none.
///
/// A table with open addressing. Objects stay in it once they were there: a trail that grows and shrinks comes back to
/// the same ones.
struct LastAccesses: ~Copyable {
  private var objects: UnsafeMutablePointer<UInt32>
  private var places: UnsafeMutablePointer<Int32>
  private var capacity = 32
  private var used = 0

  private static let nobody: Int32 = -2

  init() {
    objects = .allocate(capacity: capacity)
    places = .allocate(capacity: capacity)
    places.update(repeating: Self.nobody, count: capacity)
  }

  deinit {
    objects.deallocate()
    places.deallocate()
  }

  subscript(object: UInt32) -> Int32 {
    get {
      let slot = slot(of: object)
      return places[slot] == Self.nobody ? -1 : places[slot]
    }
    set { _ = exchange(object, newValue) }
  }

  /// Sets the place of an object.
  ///
  /// - Returns: what it was.
  @inline(__always)
  mutating func exchange(_ object: UInt32, _ place: Int32) -> Int32 {
    let slot = slot(of: object)
    let old = places[slot]
    if old == Self.nobody {
      add(object, place, slot)
      return -1
    }
    places[slot] = place
    return old
  }

  @inline(never)
  private mutating func add(_ object: UInt32, _ place: Int32, _ free: Int) {
    var slot = free
    if used * 2 >= capacity {
      grow()
      slot = self.slot(of: object)
    }
    objects[slot] = object
    places[slot] = place
    used += 1
  }

  /// Where an object is, or would be.
  @inline(__always)
  private func slot(of object: UInt32) -> Int {
    var slot = Int(truncatingIfNeeded: (UInt64(object) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (capacity - 1)
    while places[slot] != Self.nobody, objects[slot] != object { slot = (slot + 1) & (capacity - 1) }
    return slot
  }

  private mutating func grow() {
    let (oldObjects, oldPlaces, oldCapacity) = (objects, places, capacity)
    capacity *= 2
    objects = .allocate(capacity: capacity)
    places = .allocate(capacity: capacity)
    places.update(repeating: Self.nobody, count: capacity)
    for old in 0..<oldCapacity where oldPlaces[old] != Self.nobody {
      let slot = slot(of: oldObjects[old])
      objects[slot] = oldObjects[old]
      places[slot] = oldPlaces[old]
    }
    oldObjects.deallocate()
    oldPlaces.deallocate()
  }
}
