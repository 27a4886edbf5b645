/// Who made what steps touch, since the first choice of a run in the explored mode: whichever order threads made things
/// in, each is known by the same number.
struct MadeObjects: Sendable {
  /// The handle that was given first after the first choice, and the numbers of that one and those after it.
  private struct Group {
    var first: Int32 = .max
    var numbers: [Int32] = []
  }

  /// By kind of access, from `firstKind` on.
  private var groups: [Group] = []
  /// How many things each thread has made.
  private var counts: [Int32] = []

  private static let firstKind = Access.Kind.lock.rawValue
  private static let lastKind = Access.Kind.object.rawValue
  /// Set in the numbers of these things, which have 24 bits, and of those that belong to a text.
  private static let madeMark: Int32 = 1 << 23
  private static let keyMark: Int32 = 1 << 22
  private static let serialBits: Int32 = 13
  private static let makerBits: Int32 = 10

  /// Notes that a thread made something.
  ///
  /// - Returns: false when there are too many for numbers of their own.
  mutating func add(_ kind: Access.Kind, _ id: Int32, by maker: Int32) -> Bool {
    while counts.count <= Int(maker) { counts.append(0) }
    let serial = counts[Int(maker)]
    counts[Int(maker)] += 1
    let fits = serial < 1 << Self.serialBits && maker < 1 << Self.makerBits
    append(kind, id, fits ? Self.madeMark | maker << Self.serialBits | serial : id)
    return fits
  }

  /// The same for something that belongs to a text, whoever uses that first.
  ///
  /// - Parameter family: texts of different families are different.
  mutating func add(_ kind: Access.Kind, _ id: Int32, named key: UnsafeBufferPointer<UInt8>, family: UInt64) -> Bool {
    // Fowler, Noll and Vo's hash, of the family as of a first byte: else it would cancel a difference of the keys.
    var hash = (0xCBF2_9CE4_8422_2325 ^ family) &* 0x100_0000_01B3
    for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let number = Self.keyMark | Int32(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(Self.keyMark - 1))
    let isTaken = !groups.isEmpty && groups[Int(kind.rawValue - Self.firstKind)].numbers.contains(number)
    append(kind, id, isTaken ? id : number)
    return !isTaken
  }

  private mutating func append(_ kind: Access.Kind, _ id: Int32, _ number: Int32) {
    if groups.isEmpty { groups = Array(repeating: Group(), count: Int(Self.lastKind - Self.firstKind) + 1) }
    let index = Int(kind.rawValue - Self.firstKind)
    if groups[index].numbers.isEmpty { groups[index].first = id }
    groups[index].numbers.append(number)
  }

  /// The number of an object, as `Access.object` has it, that does not depend on the order in which things were made.
  func number(of object: Int64) -> Int64 {
    if groups.isEmpty { return object }
    let kind = object >> 32
    guard (Self.firstKind...Self.lastKind).contains(kind) else { return object }
    let group = Int(kind - Self.firstKind)
    let (id, first) = (Int32(truncatingIfNeeded: object), groups[group].first)
    return id < first ? object : kind << 32 | Int64(groups[group].numbers[Int(id - first)])
  }

  mutating func assign(_ other: MadeObjects) {
    if groups.isEmpty, other.groups.isEmpty { return }
    self = other
  }
}
