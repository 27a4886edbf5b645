/// What a `DistinctTable` tells apart: numbers that are as good as random.
protocol DistinctKey: BitwiseCopyable, Hashable, Sendable {
  /// Stands for no key, and is never one.
  static var none: Self { get }
  /// 64 bits of it, each as likely to be set as not.
  var spread: UInt64 { get }
}

/// Distinct keys with a value each, in bounded memory.
///
/// Up to `maximumCount` keys are all kept. Beyond that it goes over to a sample: of all keys only those whose spread ends in
/// a zero bit, then in two, and so on, as many as are needed to come below that number (adaptive sampling: Flajolet, "On
/// Adaptive Sampling"). So however many keys there are and in whatever order they come, it ends with the same ones, each
/// stands for equally many, and their number can be told to about a thousandth.
///
/// Open addressing in two flat arrays, at most four fifths of them in use: a key and a value for each slot.
struct DistinctTable<Key: DistinctKey, Value: Sendable>: Sendable {
  /// More keys are not kept.
  private let maximumCount: Int
  private static var fewestSlots: Int { 1_224 }

  private var keys: [Key] = []
  private var values: [Value] = []
  /// How many keys are kept.
  private(set) var count = 0
  /// Of 2 to this power keys one is kept.
  private(set) var level = 0

  init(maximumCount: Int = 1_000_000) { self.maximumCount = maximumCount }

  var isEmpty: Bool { count == 0 }
  /// Whether all keys are kept.
  var isExact: Bool { level == 0 }
  /// How many keys there were, at least about.
  var estimate: Int { count << level }

  /// Whether a key is one of those that are kept once they have come.
  @inline(__always)
  func keeps(_ key: Key) -> Bool { key.spread & ((1 << UInt64(level)) - 1) == 0 }

  subscript(key: Key) -> Value? {
    guard count > 0 else { return nil }
    let slot = slot(of: key)
    return keys[slot] == .none ? nil : values[slot]
  }

  /// Adds a key that may be there already; its value then stays what it was.
  ///
  /// - Returns: whether it is new, and kept.
  @discardableResult
  mutating func insert(_ key: Key, _ value: Value) -> Bool {
    guard keeps(key) else { return false }
    if keys.isEmpty { makeRoom(for: Self.fewestSlots, value) }
    var slot = slot(of: key)
    if keys[slot] != .none { return false }
    if count == maximumCount {
      thinOut(value)
      guard keeps(key) else { return false }
      slot = self.slot(of: key)
    } else if (count + 1) * 5 > keys.count * 4 {
      makeRoom(for: keys.count * 2, value)
      slot = self.slot(of: key)
    }
    keys[slot] = key
    values[slot] = value
    count += 1
    return true
  }

  /// Keeps but half of all keys.
  private mutating func thinOut(_ filler: Value) {
    level += 1
    makeRoom(for: keys.count, filler)
  }

  /// Goes over to the sample that another is, unless this is a smaller one already.
  mutating func thinOut(to level: Int) {
    while self.level < level {
      guard let filler = values.first else {
        self.level = level
        return
      }
      thinOut(filler)
    }
  }

  /// Adds all keys of another.
  mutating func formUnion(_ other: Self) {
    if isEmpty, level <= other.level {
      self = other
      return
    }
    thinOut(to: other.level)
    reserve(for: other)
    other.visit { insert($0, $1) }
  }

  /// Makes room for all keys of another before they come: they do so in the order of their slots, and would crowd the first
  /// of a table that is smaller.
  mutating func reserve(for other: Self) {
    guard let filler = other.values.first else { return }
    let most = min(count + other.count, maximumCount)
    var slots = max(keys.count, Self.fewestSlots)
    while most * 5 > slots * 4 { slots *= 2 }
    if slots > keys.count { makeRoom(for: slots, filler) }
  }

  /// In an order that depends on how they came.
  func visit(_ body: (Key, Value) -> Void) {
    for slot in keys.indices where keys[slot] != .none { body(keys[slot], values[slot]) }
  }

  /// How many keys are not in another; both are thinned out to the same sample for that.
  func countMissing(in other: Self) -> Int {
    var (own, others) = (self, other)
    own.thinOut(to: other.level)
    others.thinOut(to: level)
    var missing = 0
    own.visit { key, _ in if others[key] == nil { missing += 1 } }
    return missing << own.level
  }

  /// Where a key is, or would be.
  @inline(__always)
  private func slot(of key: Key) -> Int {
    var slot = Int(key.spread.multipliedFullWidth(by: UInt64(keys.count)).high)
    while keys[slot] != .none, keys[slot] != key {
      slot += 1
      if slot == keys.count { slot = 0 }
    }
    return slot
  }

  private mutating func makeRoom(for slots: Int, _ filler: Value) {
    let (oldKeys, oldValues) = (keys, values)
    keys = [Key](repeating: .none, count: slots)
    values = [Value](repeating: filler, count: slots)
    count = 0
    for old in oldKeys.indices where oldKeys[old] != .none && keeps(oldKeys[old]) {
      let slot = slot(of: oldKeys[old])
      keys[slot] = oldKeys[old]
      values[slot] = oldValues[old]
      count += 1
    }
  }
}

extension TraceHash: DistinctKey {
  static let none = TraceHash([.max, .max])
}

/// The number of a text trace.
struct OrderNumber: DistinctKey {
  var number: UInt64
  static let none = OrderNumber(number: .max)
  var spread: UInt64 { TraceHash.scramble(number) }
}

/// The value of keys that have none.
struct NoValue: Sendable {}
