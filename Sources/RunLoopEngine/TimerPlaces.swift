/// The first mode a timer is in, -1 for none, and where it stands in that mode's heap.
struct Seat: Equatable {
  var mode: Int32 = -1
  var place: Int32 = -1
}

/// All timers, and where each stands in the heaps of its modes.
struct TimerPlaces: ~Copyable {
  var timers = Pool<TimerRecord>()
  /// What of each timer a fire does not need.
  var details = Pool<TimerDetails>()
  /// Where each timer stands, apart from its record: a heap that is put in order tells many of them.
  private var seats = Pool<Seat>()
  /// The second and later modes of timers that are in several, in lists.
  private var others = Pool<TimerPlace>()
  private var free: Int32 = -1

  /// Becomes a copy of another.
  mutating func assign(_ other: borrowing TimerPlaces) {
    timers.assign(other.timers)
    details.assign(other.details)
    seats.assign(other.seats)
    others.assign(other.others)
    free = other.free
  }

  /// Bytes that its records take, and the timers' entries in the heaps.
  var bytes: Int {
    timers.bytes + details.bytes + seats.bytes + others.bytes + timers.count * MemoryLayout<TimerHeap.Entry>.stride
  }

  /// Whether both hold the same timers at the same places.
  func isSame(as other: borrowing TimerPlaces) -> Bool {
    timers.isSame(as: other.timers) && details.isSame(as: other.details) && seats.isSame(as: other.seats)
      && others.isSame(as: other.others) && free == other.free
  }

  mutating func append(_ record: TimerRecord, _ details: TimerDetails) {
    timers.append(record)
    self.details.append(details)
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
    defect("a timer stands in the heap of a mode that it is not in")
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
