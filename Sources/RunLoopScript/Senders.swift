import RunLoopEngine

/// Values that observers of the notification centre asked for, each once: found by `Session.identity(of:)`.
struct Senders: Equatable {
  private var values: [UInt64: [HostValue]] = [:]
  private var count = 0
  /// How many there are when it is worth looking which of them nobody asks for any more.
  private var limit = Senders.leastLimit

  private static let leastLimit = 64

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count >= limit }

  /// Those that may be the value with this identity.
  func candidates(_ identity: UInt64) -> [HostValue] { values[identity] ?? [] }

  mutating func add(_ value: HostValue, _ identity: UInt64) {
    values[identity, default: []].append(value)
    count += 1
  }

  /// Takes out all but some.
  ///
  /// - Returns: the others, to be given up.
  /// - Complexity: O(n log n), which is O(log n) for each that was added since the last time.
  mutating func removeAll(but used: Set<HostValue>) -> [HostValue] {
    var unused: [HostValue] = []
    for (identity, candidates) in values {
      let kept = candidates.filter(used.contains)
      if kept.count < candidates.count { unused += candidates.filter { !used.contains($0) } }
      values[identity] = kept.isEmpty ? nil : kept
    }
    count -= unused.count
    limit = max(Senders.leastLimit, 2 * count)
    return unused.sorted { $0.rawValue < $1.rawValue }
  }
}
