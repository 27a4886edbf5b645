/// Takes runs by chance, for what is too large to be exhausted.
struct RandomSearch<System: Explorable>: Search, ~Copyable {
  enum Kind: Sendable {
    /// Each that can go on is as likely as the others.
    case walk
    /// Threads have priorities by chance, and at so many places by chance the first falls behind all others (Burckhardt,
    /// Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs").
    case priorities(depth: Int)
    /// Threads go on in proportion to the steps they have left, as the run before had them, so that interleavings are
    /// about equally likely.
    case uniform
  }

  private let system: System
  private let kinds: [Kind]
  private var random: Generator
  private var runs = 0
  private(set) var trail = Trail()
  private var point = ChoicePoint()
  private var step = StepRecord()
  /// Steps that each actor took in the longest run so far.
  private var lengths: [Int32: Int] = [:]
  private(set) var longest = 1

  /// Runs of one block. What a block learns of the length of runs, the next does not know: so each can be taken by
  /// another process, and it comes to the same.
  static var blockSize: Int { 1_000 }

  /// A multiple of all numbers up to 10, so that as many ways are equally likely.
  private static var ways: Int { 2_520 }
  /// How long runs are.
  private static var lengths: ClosedRange<Int> { 0...Int(Int32.max) }

  /// - Parameter block: which block of runs of this seed.
  init(_ system: System, _ kinds: [Kind], seed: UInt64, block: Int) {
    self.system = system
    self.kinds = kinds
    random = Generator(state: seed)
    for _ in 0..<2 { random = Generator(state: random.next() ^ UInt64(block)) }
  }

  func withEnd<Result>(_ body: (borrowing Trail, ChoicePoint) -> Result) -> Result { body(trail, point) }

  mutating func nextRun() -> Advance {
    guard runs < Self.blockSize else { return .over }
    let kind = kinds[runs % kinds.count]
    runs += 1
    trail.removeAll()
    system.start()
    var priorities: [Int32: UInt64] = [:]
    var changes: [Int] = []
    if case .priorities(let depth) = kind {
      // More of them than a run has places change nothing more.
      for _ in 1..<max(1, min(depth, longest + 1)) { changes.append(random.below(longest)) }
    }
    while true {
      system.look(after: trail.events.last?.actor ?? -1, into: &point)
      if point.enabled.isEmpty { break }
      let actor: Int32
      switch kind {
      case .walk: actor = point.enabled[random.below(point.enabled.count)]
      case .uniform: actor = proportional()
      case .priorities:
        for each in point.enabled where priorities[each] == nil { priorities[each] = (random.next() >> 1) | 1 << 62 }
        actor = point.enabled.max { priorities[$0, default: 0] < priorities[$1, default: 0] } ?? point.enabled[0]
        if let place = changes.firstIndex(of: trail.count) { priorities[actor] = UInt64(place) }
      }
      step.clear()
      // How many ways a step can go is only known afterwards: of a number by chance the rest stands for one of them.
      let alternative = Int32(random.below(Self.ways))
      system.take(actor, alternative, into: &step)
      trail.append(actor, alternative % step.alternatives, step, at: point)
    }
    learn()
    return .run
  }

  private mutating func proportional() -> Int32 {
    let weights = point.enabled.map { max(1, lengths[$0, default: 1] - Int(count(of: $0))) }
    var place = random.below(weights.reduce(0, +))
    for (index, weight) in weights.enumerated() {
      if place < weight { return point.enabled[index] }
      place -= weight
    }
    return point.enabled[0]
  }

  private func count(of actor: Int32) -> Int32 {
    Int(actor) < trail.actorCount ? trail.eventCount(of: Int(actor)) : 0
  }

  private mutating func learn() {
    longest = max(longest, trail.count)
    for actor in 0..<Int32(trail.actorCount) {
      lengths[actor] = max(lengths[actor, default: 0], Int(trail.eventCount(of: Int(actor))))
    }
  }

  /// SplitMix64.
  private struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      return TraceHash.scramble(state)
    }

    mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }
  }

  // MARK: Going on later

  var state: JSON {
    .object([
      .init("runs", .integer(runs)), .init("random", .string(Hexadecimal.text([random.state]))),
      .init("longest", .integer(longest)),
      .init(
        "lengths", .integers(lengths.sorted { $0.key < $1.key }.flatMap { [Int($0.key), $0.value] })),
    ])
  }

  mutating func restore(_ state: JSON) -> Bool {
    guard let runs = state["runs"]?.integer, let words = Hexadecimal.words(state["random"]?.string), words.count == 1,
      let longest = state["longest"]?.integer, longest > 0, Self.lengths.contains(longest),
      (0...Self.blockSize).contains(runs),
      let pairs = state["lengths"]?.integers, pairs.count % 2 == 0
    else { return false }
    for index in stride(from: 0, to: pairs.count, by: 2) {
      guard let actor = Int32(exactly: pairs[index]), actor >= 0, Self.lengths.contains(pairs[index + 1]) else {
        return false
      }
      lengths[actor] = pairs[index + 1]
    }
    self.runs = runs
    self.longest = longest
    random.state = words[0]
    return true
  }
}
