import Testing

@testable import RunLoopExplorer

/// What is large takes no longer than it must, and no stack.
@Suite struct LargeTableTests {
  /// The keys of a table come in the order of their slots: in a smaller one all of them would meet at its beginning.
  @Test(.timeLimit(.minutes(1))) func aLargeTableIsAddedToASmallOne() {
    var large = DistinctTable<OrderNumber, NoValue>()
    for number in 1...200_000 as ClosedRange<UInt64> { large.insert(OrderNumber(number: number), NoValue()) }
    var small = DistinctTable<OrderNumber, NoValue>()
    for number in 200_000...200_009 as ClosedRange<UInt64> { small.insert(OrderNumber(number: number), NoValue()) }
    small.formUnion(large)
    #expect(small.count == 200_009)
    #expect(large.countMissing(in: small) == 0)
  }

  /// A plan of so many steps was nested as deep, and was freed so.
  @Test func aPlanOfManySteps() throws {
    let steps = 300_000
    let move = Move(actor: 1, alternative: 0, footprint: Footprint([Touch(7, changes: true)]))
    var list: [JSON] = [.integer(1)]
    for place in 1...steps { list += [move.json, .integer(place < steps ? 1 : 0)] }
    var tree = try #require(WakeupTree(.array(list)))
    #expect(tree.json == .array(list))
    var count = 0
    while let branch = tree.popFirst() {
      count += 1
      tree = branch.rest
    }
    #expect(count == steps)
  }

  /// Five threads take 24 locks in the same order: of 1,380 pairs none is of a circle.
  @Test(.timeLimit(.minutes(1))) func manyLocksInOneOrder() throws {
    var edges: [JSON] = []
    for thread in 1...5 {
      for first in 0..<24 {
        for second in (first + 1)..<24 {
          edges.append(
            .array([
              .integers([first, second, thread]), .integers(Array(0..<second).filter { $0 != first }),
              .strings(["t\(thread)", "l\(first)", "l\(second)", "a:1", "a:2"]),
            ]))
        }
      }
    }
    #expect(try #require(LockOrder(.array(edges))).circles().isEmpty)
    for (first, second, thread) in [(30, 31, 6), (31, 30, 7)] {
      edges.append(
        .array([
          .integers([first, second, thread]), .integers([]),
          .strings(["t\(thread)", "l\(first)", "l\(second)", "a:3", "a:4"]),
        ]))
    }
    #expect(try #require(LockOrder(.array(edges))).circles().count == 1)
  }

  @Test func whatIsDamagedIsNoNumber() {
    var sum = ExactSum.ofCounts
    sum.add(-1)
    sum.add(.nan)
    #expect(sum.value == .infinity)
  }
}
