import Testing

@testable import RunLoopEngine

/// The containers that keep what many things do from taking ever longer, each beside a plain array.
@Suite("Containers")
struct CollectionTests {
  @Test("A queue gives what came first, also after any of it was taken out", arguments: 0..<8)
  func queue(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var queue = Queue<Int>()
    var model: [Int] = []
    for step in 0..<4000 {
      // Grows first, then shrinks: so that it is emptied and filled again now and then.
      switch random.below(10) {
      case 0..<(step % 1000 < 600 ? 6 : 2):
        queue.append(step)
        model.append(step)
      case 9:
        guard !model.isEmpty else { continue }
        let element = model.remove(at: random.below(model.count))
        queue.remove(element)
        queue.remove(-1)
      default:
        guard !model.isEmpty else { continue }
        #expect(queue.removeFirst() == model.removeFirst())
      }
      guard Array(queue.waiting) == model, queue.count == model.count, queue.isEmpty == model.isEmpty else {
        Issue.record("step \(step): the queue has \(Array(queue.waiting))")
        return
      }
    }
    var fresh = Queue<Int>()
    for element in model { fresh.append(element) }
    #expect(fresh == queue)
    fresh.append(-1)
    #expect(fresh != queue)
    queue.empty()
    #expect(queue == Queue<Int>())
  }

  @Test("Common items are in order of adding, each once, also after any of them were taken out", arguments: 0..<8)
  func commonItems(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var items = CommonItems()
    var model: [Item] = []
    for step in 0..<3000 {
      let id = Int32(random.below(60))
      let item = [Item.timer(TimerID(rawValue: id)), .port(PortID(rawValue: id))][random.below(2)]
      #expect(items.contains(item) == model.contains(item))
      if random.below(2) == 0 {
        items.add(item)
        if !model.contains(item) { model.append(item) }
      } else {
        #expect(items.remove(item) == model.contains(item))
        model.removeAll { $0 == item }
      }
      guard items.inOrder.elementsEqual(model) else {
        Issue.record("step \(step): the items are \(Array(items.inOrder))")
        return
      }
    }
    var fresh = CommonItems()
    for item in model { fresh.add(item) }
    #expect(fresh == items)
    for item in model.dropLast() { fresh.remove(item) }
    #expect(fresh != items)
  }

  @Test("The ready tree finds the n-th of the highest rank, and who stands before a thread", arguments: 0..<12)
  func readyTree(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var tree = ReadyTree()
    var model: [(thread: Int32, rank: Double)] = []
    let threadCount = [1, 3, 40, 200][seed % 4]
    let ranks = [0.5, 1, Double.infinity].prefix(1 + seed / 4)
    for step in 0..<3000 {
      let thread = Int32(random.below(threadCount))
      let rank = ranks[random.below(ranks.count)]
      let place = model.firstIndex { $0.thread == thread }
      switch (place, random.below(3)) {
      case (nil, 0):
        // Of a thread that is not in it nothing is known.
        tree.update(thread, rank: rank)
      case (nil, _):
        tree.append(thread, rank: rank)
        model.append((thread, rank))
      case (let place?, 0):
        tree.update(thread, rank: rank)
        model[place].rank = rank
      case (let place?, _):
        #expect(tree.neighbour(before: thread) == (place > 0 ? model[place - 1].thread : -1))
        tree.remove(thread)
        model.remove(at: place)
      }
      let highest = model.map(\.rank).max() ?? -.infinity
      let best = model.filter { $0.rank == highest }.map(\.thread)
      guard tree.best.count == best.count, best.isEmpty || tree.best.rank == highest,
        best.indices.allSatisfy({ tree.best(after: $0) == best[$0] })
      else {
        Issue.record("step \(step): the tree does not give \(best)")
        return
      }
    }
    // A copy is independent of what was in it, and of the other from then on.
    var copy = ReadyTree()
    for thread in 0..<7 as Range<Int32> { copy.append(thread, rank: 0.25) }
    copy.assign(tree)
    let inOrder = Set(model.map(\.rank)).sorted(by: >).flatMap { rank in model.filter { $0.rank == rank } }
    #expect(drain(&tree) == inOrder.map(\.thread))
    #expect(drain(&copy) == inOrder.map(\.thread))
  }

  private func drain(_ tree: inout ReadyTree) -> [Int32] {
    var threads: [Int32] = []
    while tree.best.count > 0 {
      threads.append(tree.best(after: 0))
      tree.remove(threads[threads.count - 1])
    }
    return threads
  }

  @Test("Equal texts are interned as one name, however many there are; added ones are always new")
  func names() {
    var names = NameTable()
    let texts = (0..<2000).map { String(repeating: "x", count: $0 % 7) + "\($0 / 2)" }
    let added = names.add("7")
    let interned = texts.map { names.intern($0) }
    #expect(Set(interned).count == Set(texts).count)
    #expect(!interned.contains(added))
    for (text, name) in zip(texts, interned) {
      #expect(names[name] == text)
      #expect(names.intern(text) == name)
    }
    #expect(names.intern("") == names.intern(""))
    let copy = names
    let later = names.intern("later")
    #expect(names[later] == "later" && copy[interned[3]] == texts[3])
  }
}
