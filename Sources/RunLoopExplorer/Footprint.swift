/// What an event touches, for the question whether two events may be swapped.
struct Footprint {
  private(set) var accesses: [Touch]

  init(_ accesses: [Touch]) { self.accesses = accesses }
  init(_ accesses: UnsafeBufferPointer<Touch>) { self.accesses = Array(accesses) }

  /// Whether some object is touched by both, and changed by one; or one touches everything.
  func conflicts(with other: borrowing Footprint) -> Bool {
    other.accesses.withUnsafeBufferPointer { conflicts(with: $0) }
  }

  func conflicts(with other: UnsafeBufferPointer<Touch>) -> Bool {
    accesses.withUnsafeBufferPointer { Footprint.conflict($0, other) }
  }

  /// Whether the same objects are touched in the same way.
  func isSame(as other: UnsafeBufferPointer<Touch>) -> Bool {
    accesses.count == other.count
      && accesses.allSatisfy { access in
        other.contains { $0.object == access.object && $0.changes == access.changes }
      }
  }

  @inline(__always)
  static func conflict(_ a: UnsafeBufferPointer<Touch>, _ b: UnsafeBufferPointer<Touch>) -> Bool {
    for x in a {
      for y in b {
        if x.object == Touch.everything || y.object == Touch.everything { return true }
        if x.object == y.object, x.changes || y.changes { return true }
      }
    }
    return false
  }
}

/// A step as sleep sets and wakeup trees know it: whose, which way it went, what it touched.
struct Move {
  var actor: Int32
  var alternative: Int32
  /// Whether the ways that it can go are not known yet: it is taken the usual way, then in the others that show.
  var isOpen = false
  /// Of a step that sleeps: whether what follows from it is not told here, as another part finds it out, or as a plan did
  /// not hold that would have been changed by it.
  var isForeign = false
  var footprint: Footprint

  func isSame(as other: Move) -> Bool { actor == other.actor && alternative == other.alternative }

  var asForeign: Move {
    var move = self
    move.isForeign = true
    return move
  }
}
