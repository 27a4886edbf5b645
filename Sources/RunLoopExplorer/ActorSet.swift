/// A few actors.
struct ActorSet: Equatable {
  private var bits: UInt64 = 0

  init() {}
  init(_ actors: some Sequence<Int32>) { for actor in actors { insert(actor) } }

  /// Actors beyond 62 are all the same one, which is never seen to have had its turn.
  mutating func insert(_ actor: Int32) { bits |= 1 << UInt64(min(actor, 63)) }
  mutating func formUnion(_ other: ActorSet) { bits |= other.bits }
  var isEmpty: Bool { bits == 0 }

  func subtracting(_ other: ActorSet) -> ActorSet {
    var set = self
    set.bits &= ~(other.bits & ~(1 << 63))
    return set
  }

  /// The first that is in another set, too.
  func first(in other: ActorSet) -> Int32? {
    let both = bits & other.bits & ~(1 << 63)
    return both == 0 ? nil : Int32(both.trailingZeroBitCount)
  }
}
