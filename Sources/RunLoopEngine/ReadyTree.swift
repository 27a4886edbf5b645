/// The threads that can go on in the order in which they became ready, for a choice among them that is not simply the
/// first: by a seed, or by priority.
///
/// A binary tree over their places in that order. Each node says the highest rank below it and how many threads have it;
/// so one of these is found, and taken out, in O(log n). The ready list has the same threads in the same order.
struct ReadyTree: ~Copyable {
  // (As what a pool holds it is not private: `Stack` in the explorer says why.)
  struct Node {
    var rank = -Double.infinity
    /// 0: there is no thread below.
    var count: Int32 = 0
  }

  /// Node 1 is the root, 2 n and 2 n + 1 lie below n, and the places are the nodes from `capacity` on.
  private var nodes = Pool<Node>()
  /// A power of two, or 0.
  private var capacity = 0
  /// The thread at each place that was given, -1 once it was taken out.
  private var threads = Pool<Int32>()
  /// The place of each thread; -1: none.
  private var places = Pool<Int32>()
  private var count = 0

  /// Becomes a copy of another.
  mutating func assign(_ other: borrowing ReadyTree) {
    nodes.assign(other.nodes)
    capacity = other.capacity
    threads.assign(other.threads)
    places.assign(other.places)
    count = other.count
  }

  /// The highest rank, and how many have it.
  var best: Node { capacity > 0 ? nodes[1] : Node() }

  /// Of those of the highest rank the one that stands behind so many of them.
  ///
  /// - Parameter skipped: fewer than have the rank.
  func best(after skipped: Int) -> Int32 {
    var skipped = Int32(truncatingIfNeeded: skipped)
    let rank = nodes[1].rank
    var node = 1
    while node < capacity {
      node *= 2
      let left = nodes[node].rank == rank ? nodes[node].count : 0
      guard skipped >= left else { continue }
      skipped -= left
      node += 1
    }
    return threads[node - capacity]
  }

  /// The thread that stands right before another; -1: there is none.
  func neighbour(before thread: Int32) -> Int32 {
    var node = capacity + Int(places[Int(thread)])
    while node > 1 {
      if node & 1 == 1, nodes[node - 1].count > 0 { return last(below: node - 1) }
      node /= 2
    }
    return -1
  }

  private func last(below start: Int) -> Int32 {
    var node = start
    while node < capacity { node = nodes[node * 2 + 1].count > 0 ? node * 2 + 1 : node * 2 }
    return threads[node - capacity]
  }

  /// Adds a thread behind all others.
  mutating func append(_ thread: Int32, rank: Double) {
    if threads.count == capacity { makeRoom() }
    while places.count <= Int(thread) { places.append(-1) }
    places[Int(thread)] = Int32(threads.count)
    threads.append(thread)
    count += 1
    set(threads.count - 1, Node(rank: rank, count: 1))
  }

  /// Gives a thread another rank, if it is one of these.
  mutating func update(_ thread: Int32, rank: Double) {
    guard Int(thread) < places.count, places[Int(thread)] >= 0 else { return }
    set(Int(places[Int(thread)]), Node(rank: rank, count: 1))
  }

  mutating func remove(_ thread: Int32) {
    let place = Int(places[Int(thread)])
    set(place, Node())
    threads[place] = -1
    places[Int(thread)] = -1
    count -= 1
    if count == 0 { threads.empty() }
  }

  private mutating func set(_ place: Int, _ value: Node) {
    var node = capacity + place
    nodes[node] = value
    while node > 1 {
      node /= 2
      nodes[node] = Self.joined(nodes[node * 2], nodes[node * 2 + 1])
    }
  }

  private static func joined(_ a: Node, _ b: Node) -> Node {
    if a.rank == b.rank { return Node(rank: a.rank, count: a.count + b.count) }
    return a.rank > b.rank ? a : b
  }

  /// Closes the gaps that threads have left, in a tree of twice the size unless half of the places were gaps.
  private mutating func makeRoom() {
    var ranks: [Double] = []
    var kept: [Int32] = []
    for place in threads.indices where threads[place] >= 0 {
      kept.append(threads[place])
      ranks.append(nodes[capacity + place].rank)
    }
    if kept.count * 2 > capacity || capacity == 0 { capacity = max(4, capacity * 2) }
    nodes.empty()
    for _ in 0..<capacity * 2 { nodes.append(Node()) }
    threads.empty()
    for (place, thread) in kept.enumerated() {
      threads.append(thread)
      places[Int(thread)] = Int32(place)
      nodes[capacity + place] = Node(rank: ranks[place], count: 1)
    }
    for node in (1..<capacity).reversed() { nodes[node] = Self.joined(nodes[node * 2], nodes[node * 2 + 1]) }
  }
}
