/// The timers of a mode by fire instant, equal ones in order of insertion or repositioning (semantics 2.1).
///
/// An eight-ary heap: the root is the next timer to fire. Where each timer stands is told to a `TimerPlaces`, so that one
/// can be moved or taken out in O(log n).
///
/// Of a hundred thousand timers few are in the processor's caches. So the dates, by which entries are nearly always told
/// apart, lie apart from the rest: those of eight siblings are one cache line, and the way down waits for one line a level.
/// The root lies in the heap itself, so that a loop with a single timer has no storage.
///
/// Its storage belongs to the mode record that holds it: `clone()` and `free()` are called by the `System`.
struct TimerHeap {
  struct Entry: Equatable {
    var fire: Instant
    var timer: Int32
    /// The moment of insertion or of the last repositioning.
    var sequence: UInt64

    @inline(__always)
    static func < (a: Entry, b: Entry) -> Bool {
      if a.fire.nanoseconds != b.fire.nanoseconds { return a.fire.nanoseconds < b.fire.nanoseconds }
      if a.fire.tick != b.fire.tick { return a.fire.tick < b.fire.tick }
      return a.sequence < b.sequence
    }
  }

  /// What an entry has beside its date.
  private struct Rest {
    var tick: UInt32
    var timer: Int32
    var sequence: UInt64
  }

  private static let arity = 8
  private static let cacheLine = 64

  /// The next timer to fire. To be read only of a heap that is not empty.
  private(set) var first = Entry(fire: .distantFuture, timer: -1, sequence: 0)
  /// The other entries, place 1 first: their dates, and behind those the rest.
  private var dates: UnsafeMutablePointer<Nanoseconds>?
  private var rests: UnsafeMutablePointer<Rest>?
  private(set) var count = 0
  /// The place of the least entry below the root, -1 for none; kept, as each fire asks for it. -2: to be looked for.
  private var leastBelowRoot = -1
  /// Entries that there is storage for, beside the root.
  private var capacity = 0

  @inline(__always) var isEmpty: Bool { count == 0 }

  /// The entry at a place of the heap; 0 is the root.
  subscript(place: Int) -> Entry {
    @inline(__always) get { place == 0 ? first : below(place) }
  }

  @inline(__always)
  private mutating func set(_ place: Int, _ entry: Entry) {
    if place == 0 { first = entry } else { setBelow(place, entry) }
  }

  /// The date at a place below the root.
  @inline(__always)
  private func date(_ place: Int) -> Nanoseconds { dates.unsafelyUnwrapped[place &- 1] }

  @inline(__always)
  private func below(_ place: Int) -> Entry {
    let rest = rests.unsafelyUnwrapped[place &- 1]
    return Entry(fire: Instant(date(place), tick: rest.tick), timer: rest.timer, sequence: rest.sequence)
  }

  @inline(__always)
  private func setBelow(_ place: Int, _ entry: Entry) {
    dates.unsafelyUnwrapped[place &- 1] = entry.fire.nanoseconds
    rests.unsafelyUnwrapped[place &- 1] = Rest(
      tick: entry.fire.tick, timer: entry.timer, sequence: entry.sequence)
  }

  /// The places right below a place.
  @inline(__always)
  func children(of place: Int) -> Range<Int> {
    let child = place &* Self.arity &+ 1
    return min(child, count)..<min(child &+ Self.arity, count)
  }

  // MARK: Storage

  /// A heap with the same entries in storage of its own.
  func clone() -> TimerHeap {
    var copy = self
    copy.dates = nil
    copy.rests = nil
    copy.capacity = 0
    copy.reserve(count - 1)
    if let dates, let rests, count > 1 {
      copy.dates?.update(from: dates, count: count - 1)
      copy.rests?.update(from: rests, count: count - 1)
    }
    return copy
  }

  func free() { dates?.deallocate() }

  /// Takes the same entries as another heap.
  mutating func assign(_ other: TimerHeap) {
    if count <= 1, other.count <= 1 {
      let (dates, rests, capacity) = (dates, rests, capacity)
      self = other
      (self.dates, self.rests, self.capacity) = (dates, rests, capacity)
    } else {
      free()
      self = other.clone()
    }
  }

  /// Whether the same timers stand at the same places.
  func isSame(as other: TimerHeap) -> Bool {
    count == other.count && (0..<count).allSatisfy { self[$0] == other[$0] }
  }

  /// Makes room for so many entries below the root.
  private mutating func reserve(_ wanted: Int) {
    guard wanted > capacity else { return }
    let larger = max(Self.arity, max((wanted + 7) & ~7, capacity * 2))
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: larger * (MemoryLayout<Nanoseconds>.stride + MemoryLayout<Rest>.stride), alignment: Self.cacheLine)
    let newDates = block.bindMemory(to: Nanoseconds.self, capacity: larger)
    let newRests = (block + larger * MemoryLayout<Nanoseconds>.stride).bindMemory(to: Rest.self, capacity: larger)
    if let dates, let rests {
      newDates.update(from: dates, count: capacity)
      newRests.update(from: rests, count: capacity)
      dates.deallocate()
    }
    dates = newDates
    rests = newRests
    capacity = larger
  }

  // MARK: Changes

  mutating func insert(_ entry: Entry, mode: Int32, places: inout TimerPlaces) {
    reserve(count)
    count += 1
    leastBelowRoot = -2
    siftUp(count - 1, entry, mode: mode, places: &places)
  }

  mutating func remove(at place: Int, mode: Int32, places: inout TimerPlaces) {
    let last = self[count - 1]
    count -= 1
    leastBelowRoot = -2
    guard place < count else { return }
    reposition(at: place, last, mode: mode, places: &places)
  }

  /// The place of the entry that comes next after the root, -1: there is none.
  @inline(__always)
  mutating func second() -> Int {
    if _slowPath(leastBelowRoot == -2) { findSecond() }
    return leastBelowRoot
  }

  @inline(never)
  private mutating func findSecond() { leastBelowRoot = leastChild(of: 0) }

  /// Gives the root's timer a later instant.
  ///
  /// - Returns: the callback of the new first one; none when it is not alone at its date.
  @inline(never)
  @discardableResult
  mutating func repositionRoot(
    _ fire: Instant, sequence: UInt64, mode: Int32, places: inout TimerPlaces
  ) -> HostValue {
    let entry = Entry(fire: fire, timer: first.timer, sequence: sequence)
    let second = second()
    guard second >= 0, below(second) < entry else {
      first = entry
      return isFirstAlone() ? places.timers[Int(entry.timer)].callback : .none
    }
    first = below(second)
    // Looked at before the heap is put in order, so that memory is fetched meanwhile.
    let callback = places.timers[Int(first.timer)].callback
    places.set(first.timer, mode: mode, place: 0)
    if second &* Self.arity &+ 1 >= count {
      setBelow(second, entry)
      places.set(entry.timer, mode: mode, place: Int32(truncatingIfNeeded: second))
    } else {
      siftDown(second, entry, mode: mode, places: &places)
    }
    leastBelowRoot = leastChild(of: 0)
    return isFirstAlone() ? callback : .none
  }

  /// Whether no other entry has the root's date. To be asked while the least one below the root is known.
  @inline(__always)
  private func isFirstAlone() -> Bool { leastBelowRoot < 0 || date(leastBelowRoot) > first.fire.nanoseconds }

  /// Gives the entry at `place` a new instant, or puts another one there.
  mutating func reposition(at place: Int, _ entry: Entry, mode: Int32, places: inout TimerPlaces) {
    if place > 0 { leastBelowRoot = -2 }
    if place > 0, entry < self[(place - 1) / Self.arity] {
      siftUp(place, entry, mode: mode, places: &places)
    } else if place > 0 {
      siftDown(place, entry, mode: mode, places: &places)
    } else {
      // Another timer may take the root's place.
      first.timer = entry.timer
      repositionRoot(entry.fire, sequence: entry.sequence, mode: mode, places: &places)
      places.set(first.timer, mode: mode, place: 0)
    }
  }

  private mutating func siftUp(_ start: Int, _ moving: Entry, mode: Int32, places: inout TimerPlaces) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / Self.arity
      let above = self[parent]
      guard moving < above else { break }
      setBelow(place, above)
      places.set(above.timer, mode: mode, place: Int32(truncatingIfNeeded: place))
      place = parent
    }
    set(place, moving)
    places.set(moving.timer, mode: mode, place: Int32(truncatingIfNeeded: place))
  }

  // Mutating, although it changes the storage only: otherwise the caller would hand over a copy of the heap.
  private mutating func siftDown(_ start: Int, _ moving: Entry, mode: Int32, places: inout TimerPlaces) {
    var place = start
    while true {
      let least = leastChild(of: place)
      guard least >= 0, date(least) <= moving.fire.nanoseconds else { break }
      let entry = below(least)
      guard entry < moving else { break }
      setBelow(place, entry)
      places.set(entry.timer, mode: mode, place: Int32(truncatingIfNeeded: place))
      place = least
    }
    setBelow(place, moving)
    places.set(moving.timer, mode: mode, place: Int32(truncatingIfNeeded: place))
  }

  /// The place of the least entry right below a place; -1: there is none.
  @inline(__always)
  private func leastChild(of place: Int) -> Int {
    let child = place &* Self.arity &+ 1
    if _fastPath(child &+ 7 < count) {
      let left = earlier(
        earlier(dated(child), dated(child &+ 1)), earlier(dated(child &+ 2), dated(child &+ 3)))
      let right = earlier(
        earlier(dated(child &+ 4), dated(child &+ 5)), earlier(dated(child &+ 6), dated(child &+ 7)))
      return earlier(left, right).place
    }
    guard child < count else { return -1 }
    var least = dated(child)
    var other = child &+ 1
    while other < count {
      least = earlier(least, dated(other))
      other &+= 1
    }
    return least.place
  }

  private typealias Dated = (date: Nanoseconds, place: Int)

  @inline(__always)
  private func dated(_ place: Int) -> Dated { (date(place), place) }

  /// Of two places the one whose entry comes first. Seldom more than the dates have to be compared.
  @inline(__always)
  private func earlier(_ a: Dated, _ b: Dated) -> Dated {
    if _slowPath(a.date == b.date) {
      return Self.isEarlier(rests.unsafelyUnwrapped[b.place &- 1], rests.unsafelyUnwrapped[a.place &- 1]) ? b : a
    }
    return b.date < a.date ? b : a
  }

  /// Of two entries with the same date.
  @inline(never)
  private static func isEarlier(_ a: Rest, _ b: Rest) -> Bool { (a.tick, a.sequence) < (b.tick, b.sequence) }

  // MARK: What is due

  /// Whether no other entry than the root fires at `limit` or before.
  @inline(__always)
  mutating func isRootAlone(through limit: Nanoseconds) -> Bool {
    let second = second()
    return second < 0 || date(second) > limit
  }

  /// The entries that fire at `limit` or before, in list order.
  ///
  /// - Complexity: O(k log k) for k such entries.
  func sorted(through limit: Nanoseconds) -> [Entry] {
    guard !isEmpty, first.fire.nanoseconds <= limit else { return [] }
    var found = [first]
    // Breadth first: the entries below one that was found are looked at in its turn.
    var open = [0]
    var next = 0
    while next < open.count {
      for child in children(of: open[next]) where date(child) <= limit {
        found.append(below(child))
        open.append(child)
      }
      next += 1
    }
    found.sort(by: <)
    return found
  }
}
