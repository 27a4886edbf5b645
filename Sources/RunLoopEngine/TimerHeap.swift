/// The timers of a mode by fire instant, equal ones in order of insertion or repositioning (semantics 2.1).
///
/// A four-ary heap: the root is the next timer to fire. Where each timer stands is told to a `TimerPlaces`, so that one
/// can be moved or taken out in O(log n).
///
/// Its storage belongs to the mode record that holds it: `clone()` and `free()` are called by the `System`.
struct TimerHeap {
  struct Entry {
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

  private var base: UnsafeMutablePointer<Entry>?
  private(set) var count = 0
  private var capacity = 0

  @inline(__always) var isEmpty: Bool { count == 0 }
  @inline(__always) var first: Entry { self[0] }

  /// The entry at a place of the heap; 0 is the root, the children of p are 4·p + 1 to 4·p + 4.
  @inline(__always)
  private(set) subscript(place: Int) -> Entry {
    get { base.unsafelyUnwrapped[place] }
    nonmutating set { base.unsafelyUnwrapped[place] = newValue }
  }

  /// A heap with the same entries in storage of its own.
  func clone() -> TimerHeap {
    var copy = TimerHeap()
    copy.reserve(count)
    if let base { copy.base?.initialize(from: base, count: count) }
    copy.count = count
    return copy
  }

  func free() { base?.deallocate() }

  private mutating func reserve(_ wanted: Int) {
    guard wanted > capacity else { return }
    let larger = max(4, max(wanted, capacity * 2))
    let block = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
    if let base {
      block.moveInitialize(from: base, count: count)
      base.deallocate()
    }
    base = block
    capacity = larger
  }

  mutating func insert(_ entry: Entry, mode: Int32, places: inout TimerPlaces) {
    reserve(count + 1)
    self[count] = entry
    count += 1
    siftUp(count - 1, mode: mode, places: &places)
  }

  mutating func remove(at place: Int, mode: Int32, places: inout TimerPlaces) {
    count -= 1
    guard place < count else { return }
    self[place] = self[count]
    restore(place, mode: mode, places: &places)
  }

  /// Gives the root's timer a later instant. It stays the root when it comes before `second`, the least entry below it.
  @inline(__always)
  func repositionRoot(_ entry: Entry, second: Int, mode: Int32, places: inout TimerPlaces) {
    guard second >= 0, self[second] < entry else {
      self[0] = entry
      return
    }
    self[0] = self[second]
    places.set(self[0].timer, mode: mode, place: 0)
    self[second] = entry
    siftDown(second, mode: mode, places: &places)
  }

  /// Gives the entry at `place` a new instant.
  mutating func reposition(at place: Int, _ entry: Entry, mode: Int32, places: inout TimerPlaces) {
    self[place] = entry
    restore(place, mode: mode, places: &places)
  }

  private func restore(_ place: Int, mode: Int32, places: inout TimerPlaces) {
    if place > 0, self[place] < self[(place - 1) / 4] {
      siftUp(place, mode: mode, places: &places)
    } else {
      siftDown(place, mode: mode, places: &places)
    }
  }

  private func siftUp(_ start: Int, mode: Int32, places: inout TimerPlaces) {
    var place = start
    let moving = self[place]
    while place > 0 {
      let parent = (place - 1) / 4
      guard moving < self[parent] else { break }
      self[place] = self[parent]
      places.set(self[place].timer, mode: mode, place: Int32(truncatingIfNeeded: place))
      place = parent
    }
    self[place] = moving
    places.set(moving.timer, mode: mode, place: Int32(truncatingIfNeeded: place))
  }

  /// The place of the least entry right below a place; -1: there is none.
  @inline(__always)
  func leastChild(of place: Int) -> Int {
    let child = place &* 4 &+ 1
    if _fastPath(child &+ 3 < count) {
      return earlier(earlier(child, child &+ 1), earlier(child &+ 2, child &+ 3))
    }
    guard child < count else { return -1 }
    let least = child &+ 1 < count ? earlier(child, child &+ 1) : child
    return child &+ 2 < count ? earlier(least, child &+ 2) : least
  }

  /// Of two places the one whose entry comes first. Seldom more than the dates have to be compared.
  @inline(__always)
  private func earlier(_ a: Int, _ b: Int) -> Int {
    let dateOfA = self[a].fire.nanoseconds
    let dateOfB = self[b].fire.nanoseconds
    if _slowPath(dateOfA == dateOfB) { return self[b] < self[a] ? b : a }
    return dateOfB < dateOfA ? b : a
  }

  private func siftDown(_ start: Int, mode: Int32, places: inout TimerPlaces) {
    var place = start
    let moving = self[place]
    while true {
      let least = leastChild(of: place)
      guard least >= 0, self[least] < moving else { break }
      self[place] = self[least]
      places.set(self[place].timer, mode: mode, place: Int32(truncatingIfNeeded: place))
      place = least
    }
    self[place] = moving
    places.set(moving.timer, mode: mode, place: Int32(truncatingIfNeeded: place))
  }

  /// Whether no other entry than the root fires at `limit` or before.
  @inline(__always)
  func isRootAlone(through limit: Nanoseconds) -> Bool {
    var child = 1
    let end = min(5, count)
    while child < end {
      if self[child].fire.nanoseconds <= limit { return false }
      child += 1
    }
    return true
  }

  /// The entries that fire at `limit` or before, in list order.
  ///
  /// - Complexity: O(k log k) for k such entries.
  func sorted(through limit: Nanoseconds) -> [Entry] {
    var found: [Entry] = []
    var open = isEmpty ? [] : [0]
    while let place = open.popLast() {
      guard self[place].fire.nanoseconds <= limit else { continue }
      found.append(self[place])
      open.append(contentsOf: (place * 4 + 1)..<max(place * 4 + 1, min(place * 4 + 5, count)))
    }
    found.sort(by: <)
    return found
  }
}

/// The first mode a timer is in, -1 for none, and where it stands in that mode's heap.
struct Seat {
  var mode: Int32 = -1
  var place: Int32 = -1
}

/// All timers, and where each stands in the heaps of its modes.
struct TimerPlaces: ~Copyable {
  var timers = Pool<TimerRecord>()
  /// Where each timer stands, apart from its record: a heap that is put in order tells many of them.
  private var seats = Pool<Seat>()
  /// The second and later modes of timers that are in several, in lists.
  private var others = Pool<TimerPlace>()
  private var free: Int32 = -1

  func clone() -> TimerPlaces {
    var copy = TimerPlaces()
    copy.timers = timers.clone()
    copy.seats = seats.clone()
    copy.others = others.clone()
    copy.free = free
    return copy
  }

  mutating func append(_ record: TimerRecord) {
    timers.append(record)
    seats.append(Seat())
  }

  /// The first mode that a timer is in; -1: in none.
  @inline(__always)
  mutating func firstMode(of timer: Int32) -> Int32 { seats[Int(timer)].mode }

  @inline(__always)
  mutating func set(_ timer: Int32, mode: Int32, place: Int32) {
    let index = Int(timer)
    if seats[index].mode == mode {
      seats[index].place = place
    } else {
      setOther(timer, mode: mode, place: place)
    }
  }

  private mutating func setOther(_ timer: Int32, mode: Int32, place: Int32) {
    var other = timers[Int(timer)].more
    while other >= 0 {
      if others[Int(other)].mode == mode {
        others[Int(other)].place = place
        return
      }
      other = others[Int(other)].next
    }
    invariant(false, "a timer stands in the heap of a mode that it is not in")
  }

  /// Where a timer stands in a mode's heap, -1 when it is not in the mode.
  func place(of timer: Int32, in mode: Int32) -> Int {
    if seats[Int(timer)].mode == mode { return Int(seats[Int(timer)].place) }
    var other = timers[Int(timer)].more
    while other >= 0 {
      if others[Int(other)].mode == mode { return Int(others[Int(other)].place) }
      other = others[Int(other)].next
    }
    return -1
  }

  /// The modes a timer is in, in order of adding.
  func modes(of timer: Int32) -> [Int32] {
    let first = seats[Int(timer)].mode
    guard first >= 0 else { return [] }
    var modes = [first]
    var other = timers[Int(timer)].more
    while other >= 0 {
      modes.append(others[Int(other)].mode)
      other = others[Int(other)].next
    }
    return modes
  }

  /// Notes that a timer is in a mode from now on; its place is set by the heap.
  mutating func enter(_ timer: Int32, mode: Int32) {
    if seats[Int(timer)].mode < 0 {
      seats[Int(timer)].mode = mode
      return
    }
    var index = free
    if index >= 0 {
      free = others[Int(index)].next
      others[Int(index)] = TimerPlace(mode: mode, place: -1, next: -1)
    } else {
      index = Int32(others.count)
      others.append(TimerPlace(mode: mode, place: -1, next: -1))
    }
    var last = timers[Int(timer)].more
    guard last >= 0 else {
      timers[Int(timer)].more = index
      return
    }
    while others[Int(last)].next >= 0 { last = others[Int(last)].next }
    others[Int(last)].next = index
  }

  /// Notes that a timer has left a mode.
  mutating func leave(_ timer: Int32, mode: Int32) {
    let index = Int(timer)
    if seats[index].mode == mode {
      let more = timers[index].more
      if more >= 0 {
        seats[index] = Seat(mode: others[Int(more)].mode, place: others[Int(more)].place)
        timers[index].more = others[Int(more)].next
        release(more)
      } else {
        seats[index] = Seat()
      }
      return
    }
    var previous: Int32 = -1
    var other = timers[index].more
    while other >= 0, others[Int(other)].mode != mode {
      previous = other
      other = others[Int(other)].next
    }
    guard other >= 0 else { return }
    if previous >= 0 {
      others[Int(previous)].next = others[Int(other)].next
    } else {
      timers[index].more = others[Int(other)].next
    }
    release(other)
  }

  private mutating func release(_ other: Int32) {
    others[Int(other)].next = free
    free = other
  }
}
