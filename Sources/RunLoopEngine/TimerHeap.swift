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
    siftUp(count - 1, entry, mode: mode, places: &places)
  }

  mutating func remove(at place: Int, mode: Int32, places: inout TimerPlaces) {
    let last = self[count - 1]
    count -= 1
    guard place < count else { return }
    reposition(at: place, last, mode: mode, places: &places)
  }

  /// Gives the root's timer a later instant. It stays the root when it comes before `second`, the least entry below it.
  @inline(__always)
  mutating func repositionRoot(_ entry: Entry, second: Int, mode: Int32, places: inout TimerPlaces) {
    guard second >= 0, below(second) < entry else {
      first = entry
      return
    }
    first = below(second)
    places.set(first.timer, mode: mode, place: 0)
    siftDown(second, entry, mode: mode, places: &places)
  }

  /// Gives the entry at `place` a new instant, or puts another one there.
  mutating func reposition(at place: Int, _ entry: Entry, mode: Int32, places: inout TimerPlaces) {
    if place > 0, entry < self[(place - 1) / Self.arity] {
      siftUp(place, entry, mode: mode, places: &places)
    } else if place > 0 {
      siftDown(place, entry, mode: mode, places: &places)
    } else {
      repositionRoot(entry, second: leastChild(of: 0), mode: mode, places: &places)
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

  private func siftDown(_ start: Int, _ moving: Entry, mode: Int32, places: inout TimerPlaces) {
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
  func leastChild(of place: Int) -> Int {
    let child = place &* Self.arity &+ 1
    guard _fastPath(child &+ 7 < count) else { return leastOfFew(children(of: place)) }
    let left = earlier(earlier(child, child &+ 1), earlier(child &+ 2, child &+ 3))
    let right = earlier(earlier(child &+ 4, child &+ 5), earlier(child &+ 6, child &+ 7))
    return earlier(left, right)
  }

  private func leastOfFew(_ places: Range<Int>) -> Int {
    guard var least = places.first else { return -1 }
    for place in places.dropFirst() { least = earlier(least, place) }
    return least
  }

  /// Of two places the one whose entry comes first. Seldom more than the dates have to be compared.
  @inline(__always)
  private func earlier(_ a: Int, _ b: Int) -> Int {
    let dateOfA = date(a)
    let dateOfB = date(b)
    if _slowPath(dateOfA == dateOfB) { return below(b) < below(a) ? b : a }
    return dateOfB < dateOfA ? b : a
  }

  // MARK: What is due

  /// Whether no other entry than the root fires at `limit` or before.
  @inline(__always)
  func isRootAlone(through limit: Nanoseconds) -> Bool {
    for child in children(of: 0) where date(child) <= limit { return false }
    return true
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
