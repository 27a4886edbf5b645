/// What is due at some moment of virtual time, for all threads and loops together.
///
/// Entries of one nanosecond come in the order in which they were made, deadlines of runs after all others: a deadline's
/// wake-up is never early on a real machine, so what else is due at that nanosecond is seen first.
struct Agenda: ~Copyable {
  enum Kind: UInt8, Sendable {
    /// A sleeping, working or waiting thread. target: the thread.
    case thread
    /// The timer port of a mode. target: the mode.
    case timerPort
    /// The deadline of a run. target: its loop.
    case deadline
    /// A block for the main queue. target: the block.
    case mainQueue
  }

  struct Entry: Equatable, Sendable {
    var nanoseconds: Nanoseconds
    /// The order among equal moments.
    var order: UInt64
    var slot: Int32
  }

  struct Slot: Equatable, Sendable {
    var kind: Kind
    var target: Int32
    /// The place in the heap, or the next free slot.
    var place: Int32
  }

  private static let afterAllOthers: UInt64 = 1 << 63

  private var heap = Pool<Entry>()
  private var slots = Pool<Slot>()
  private var free: Int32 = -1
  private var counter: UInt64 = 0

  /// Becomes a copy of another.
  mutating func assign(_ other: borrowing Agenda) {
    heap.assign(other.heap)
    slots.assign(other.slots)
    free = other.free
    counter = other.counter
  }

  /// Whether the same is due, in the same order; of the counter, which only grows, it does not depend.
  func isSame(as other: borrowing Agenda) -> Bool {
    heap.isSame(as: other.heap) && slots.isSame(as: other.slots) && free == other.free
  }

  var isEmpty: Bool { heap.isEmpty }
  var count: Int { heap.count }
  var first: Entry { heap[0] }

  /// What a slot stands for.
  func meaning(_ slot: Int32) -> (kind: Kind, target: Int32) {
    (slots[Int(slot)].kind, slots[Int(slot)].target)
  }

  /// The entry of a slot in use.
  func entry(of slot: Int32) -> Entry? {
    let place = Int(slots[Int(slot)].place)
    return place >= 0 && place < heap.count ? heap[place] : nil
  }

  /// Whether an entry stands for the deadline of a run.
  @inline(__always)
  static func isDeadline(_ entry: Entry) -> Bool { entry.order & afterAllOthers != 0 }

  private mutating func nextOrder(_ kind: Kind) -> UInt64 {
    counter += 1
    return kind == .deadline ? counter | Self.afterAllOthers : counter
  }

  /// - Complexity: O(log n).
  mutating func schedule(_ kind: Kind, _ target: Int32, at nanoseconds: Nanoseconds) -> Int32 {
    var slot = free
    if slot >= 0 {
      free = slots[Int(slot)].place
      slots[Int(slot)] = Slot(kind: kind, target: target, place: -1)
    } else {
      slot = Int32(slots.count)
      slots.append(Slot(kind: kind, target: target, place: -1))
    }
    heap.append(Entry(nanoseconds: nanoseconds, order: nextOrder(kind), slot: slot))
    siftUp(heap.count - 1)
    return slot
  }

  /// Moves an entry to another moment; among equal moments it comes last.
  ///
  /// - Complexity: O(log n).
  mutating func move(_ slot: Int32, to nanoseconds: Nanoseconds) {
    let place = Int(slots[Int(slot)].place)
    heap[place].nanoseconds = nanoseconds
    heap[place].order = nextOrder(slots[Int(slot)].kind)
    restore(place)
  }

  /// Takes an entry out; its slot is free then.
  ///
  /// - Complexity: O(log n).
  mutating func cancel(_ slot: Int32) {
    let place = Int(slots[Int(slot)].place)
    slots[Int(slot)].place = free
    free = slot
    let last = heap.removeLast()
    guard place < heap.count else { return }
    heap[place] = last
    slots[Int(last.slot)].place = Int32(place)
    restore(place)
  }

  private mutating func restore(_ place: Int) {
    if place > 0, Self.precedes(heap[place], heap[(place - 1) / 4]) {
      siftUp(place)
    } else {
      siftDown(place)
    }
  }

  @inline(__always)
  private static func precedes(_ a: Entry, _ b: Entry) -> Bool {
    a.nanoseconds < b.nanoseconds || (a.nanoseconds == b.nanoseconds && a.order < b.order)
  }

  private mutating func siftUp(_ start: Int) {
    var place = start
    let moving = heap[place]
    while place > 0 {
      let parent = (place - 1) / 4
      guard Self.precedes(moving, heap[parent]) else { break }
      heap[place] = heap[parent]
      slots[Int(heap[place].slot)].place = Int32(truncatingIfNeeded: place)
      place = parent
    }
    heap[place] = moving
    slots[Int(moving.slot)].place = Int32(truncatingIfNeeded: place)
  }

  private mutating func siftDown(_ start: Int) {
    var place = start
    let count = heap.count
    let moving = heap[place]
    while true {
      let firstChild = place * 4 + 1
      guard firstChild < count else { break }
      var least = firstChild
      var child = firstChild + 1
      let end = min(firstChild + 4, count)
      while child < end {
        if Self.precedes(heap[child], heap[least]) { least = child }
        child += 1
      }
      guard Self.precedes(heap[least], moving) else { break }
      heap[place] = heap[least]
      slots[Int(heap[place].slot)].place = Int32(truncatingIfNeeded: place)
      place = least
    }
    heap[place] = moving
    slots[Int(moving.slot)].place = Int32(truncatingIfNeeded: place)
  }
}
