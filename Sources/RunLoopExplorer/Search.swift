/// At which places of a run snapshots are kept: at all near its beginning, then ever fewer, so that a long run does not
/// take memory without bound. What lies between is gone through again.
enum SnapshotPlaces {
  @inline(__always)
  static func contains(_ depth: Int) -> Bool {
    if depth < 64 { return true }
    let stride = (1 << (Int.bitWidth - depth.leadingZeroBitCount - 1)) >> 5
    return depth & (stride - 1) == 0
  }
}

/// What a search came to.
enum Advance {
  /// The end of a run.
  case run
  /// The end of one that shows nothing new: all that could go on was explored before.
  case redundant
  /// A run was left, for it has more preemptions than are asked for.
  case beyondBound
  /// There are no more runs.
  case over
}

/// A way to take one run after the other.
protocol Search: ~Copyable {
  /// Goes on to the end of the next run.
  mutating func nextRun() -> Advance
  /// Lends the steps of the run as it ended, and who cannot go on there.
  func withEnd<Result>(_ body: (borrowing Trail, ChoicePoint) -> Result) -> Result
  /// Whether a bound of preemptions kept it from choices.
  var leftSomethingOut: Bool { get }
  /// Where the search stands after a run, to go on from there in another process.
  var state: JSON { get }
  /// Goes to where a search of the same kind and beginning stood; false when it is none.
  mutating func restore(_ state: JSON) -> Bool
}

extension Search where Self: ~Copyable {
  var leftSomethingOut: Bool { false }
}

/// How a part of an exploration begins: with these steps, and without those that sleep.
struct Beginning {
  var moves: [RunMove] = []
  /// Steps that need not be taken until something in conflict with them was: other parts begin with them.
  var sleeping: [Move] = []
}

extension Move {
  var json: JSON {
    .integers(
      [Int(actor), Int(alternative), (isOpen ? 1 : 0) + (isForeign ? 2 : 0)]
        + footprint.accesses.flatMap {
          [Int($0.object), $0.changes ? 1 : 0, Int($0.availableBefore), Int($0.availableAfter)]
        })
  }

  /// Takes what `json` gave; nil when it is something else.
  init?(_ json: JSON) {
    guard let numbers = json.integers, numbers.count >= 3, (numbers.count - 3) % 4 == 0,
      let actor = Int32(exactly: numbers[0]), let alternative = Int32(exactly: numbers[1])
    else { return nil }
    var touches: [Touch] = []
    for index in stride(from: 3, to: numbers.count, by: 4) {
      guard let object = UInt32(exactly: numbers[index]), let before = UInt8(exactly: numbers[index + 2]),
        let after = UInt8(exactly: numbers[index + 3])
      else { return nil }
      touches.append(Touch(object, changes: numbers[index + 1] != 0, before: before, after: after))
    }
    self.init(
      actor: actor, alternative: alternative, isOpen: numbers[2] & 1 != 0, isForeign: numbers[2] & 2 != 0,
      footprint: Footprint(touches))
  }

  static func list(_ json: JSON?) -> [Move]? {
    guard let values = json?.array else { return nil }
    let moves = values.compactMap { Move($0) }
    return moves.count == values.count ? moves : nil
  }
}

extension Trail {
  /// All steps, as actors and ways in turn.
  var movesAsJSON: JSON { .integers((0..<count).flatMap { [Int(events[$0].actor), Int(events[$0].alternative)] }) }
}
