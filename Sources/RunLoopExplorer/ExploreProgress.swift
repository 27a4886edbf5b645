/// How far an exploration is: all that is needed to go on with it.
struct ExploreProgress: Sendable {
  var phase: Assignment.Phase
  /// What was seen in this phase.
  var share = Share()
  /// All parts before this one are done.
  var next = 0
  /// Others that are done.
  var done: Set<Int> = []
  /// Where parts were left.
  var left: [Int: JSON] = [:]
  /// Seconds that it took so far.
  var seconds = 0.0
  /// Whether nothing is left.
  var isExhausted = false
  /// Why the phase takes every interleaving, in words; nil: because threads go round in circles, or it does not.
  var whyNotReduced: String?

  init(_ phase: Assignment.Phase) { self.phase = phase }

  mutating func finish(_ part: Int) {
    left[part] = nil
    done.insert(part)
    while done.remove(next) != nil { next += 1 }
  }

  func isDone(_ part: Int) -> Bool { part < next || done.contains(part) }
}

extension ExploreProgress {
  var json: JSON {
    .object([
      .init("isWhole", .bool(phase.isWhole)),
      .init("preemptions", phase.maximumPreemptions.map { .integer($0) } ?? .null),
      .init("circles", .bool(phase.isInCircles)),
      .init("next", .integer(next)), .init("done", .integers(done.sorted())),
      .init(
        "left", .array(left.sorted { $0.key < $1.key }.map { .array([.integer($0.key), $0.value]) })),
      .init("seconds", .number(seconds)), .init("exhausted", .bool(isExhausted)),
      .init("notReduced", whyNotReduced.map { .string($0) } ?? .null), .init("share", share.json),
    ])
  }

  /// Takes what `json` gave; nil when it is something else.
  init?(_ json: JSON) {
    guard let isWhole = json["isWhole"]?.bool, let isInCircles = json["circles"]?.bool,
      let next = json["next"]?.integer, next >= 0,
      let done = json["done"]?.integers, let left = json["left"]?.array, let seconds = json["seconds"]?.number,
      let isExhausted = json["exhausted"]?.bool, let share = json["share"].flatMap({ Share($0) })
    else { return nil }
    phase = Assignment.Phase(
      isWhole: isWhole, maximumPreemptions: json["preemptions"]?.integer, isInCircles: isInCircles)
    self.next = next
    self.done = Set(done)
    self.seconds = seconds
    self.isExhausted = isExhausted
    self.share = share
    whyNotReduced = json["notReduced"]?.string
    for item in left {
      guard let pair = item.array, pair.count == 2, let part = pair[0].integer else { return nil }
      self.left[part] = pair[1]
    }
  }
}
