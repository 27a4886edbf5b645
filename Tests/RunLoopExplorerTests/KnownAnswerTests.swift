import Testing

@testable import RunLoopExplorer

/// Programs whose traces and interleavings are known (exploration.md).
@Suite struct KnownAnswerTests {
  typealias Body = [Model.Operation]

  /// Explores in both ways; they have to agree, and to give these figures.
  @discardableResult
  private func expect(
    _ threads: [Body], traces: Int, interleavings: Double? = nil, stuck: Int = 0, stuckInterleavings: Double? = nil,
    timeIsFree: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Tally {
    let model = Model(threads, timeIsFree: timeIsFree)
    let reduced = model.reduced()
    #expect(reduced.runs == traces, sourceLocation: sourceLocation)
    #expect(reduced.traces.count == traces, sourceLocation: sourceLocation)
    #expect(reduced.stuck == stuck, sourceLocation: sourceLocation)
    if let interleavings { #expect(reduced.interleavings == interleavings, sourceLocation: sourceLocation) }
    if let stuckInterleavings {
      #expect(reduced.stuckInterleavings == stuckInterleavings, sourceLocation: sourceLocation)
    }
    expectAgreement(reduced, Model(threads, timeIsFree: timeIsFree).enumerated(), sourceLocation)
    return reduced
  }

  private func set(_ cell: String, _ value: Int) -> Model.Operation { .write(cell) { _ in value } }

  @Test func aStoreBuffer() {
    expect([[set("x", 1), .read("y")], [set("y", 1), .read("x")]], traces: 3, interleavings: 6)
  }

  @Test func twoWritesAndTwoReads() {
    expect([[set("x", 1), set("x", 2)], [.read("x"), .read("x")]], traces: 6, interleavings: 6)
  }

  @Test func independentReadsOfIndependentWrites() {
    expect(
      [[set("x", 1)], [.read("x"), .read("y")], [.read("y"), .read("x")], [set("y", 1)]], traces: 15,
      interleavings: 180)
  }

  @Test func aWriteAndTwoReadersThatWrite() {
    let reader: Body = [.read("x"), .write("x") { $0.last + 2 }]
    expect([[set("x", 1)], reader, reader], traces: 22, interleavings: 30)
  }

  @Test(arguments: 1...5) func additionsFromSeveralThreads(count: Int) {
    let factorial = (1...count).reduce(1, *)
    expect(Array(repeating: [.add("x", 1)], count: count), traces: factorial, interleavings: Double(factorial))
  }

  @Test(arguments: 1...5) func lockersOfOneLock(count: Int) {
    let factorial = (1...count).reduce(1, *)
    expect(
      Array(repeating: [.lock("m"), .unlock("m")], count: count), traces: factorial,
      interleavings: Double(factorial))
  }

  @Test func locksTakenInOppositeOrders() {
    let tally = expect(
      [
        [.lock("a"), .lock("b"), .unlock("b"), .unlock("a")], [.lock("b"), .lock("a"), .unlock("a"), .unlock("b")],
      ], traces: 3, interleavings: 6, stuck: 1, stuckInterleavings: 2)
    #expect(tally.stuckPreemptions == 1)
  }

  private func philosopher(_ first: String, _ second: String) -> Body {
    [.lock(first), .lock(second), .unlock(second), .unlock(first)]
  }

  @Test func naivePhilosophers() {
    expect(
      [philosopher("a", "b"), philosopher("b", "c"), philosopher("c", "a")], traces: 7, interleavings: 168, stuck: 1,
      stuckInterleavings: 6)
  }

  @Test func orderedPhilosophers() {
    expect([philosopher("a", "b"), philosopher("b", "c"), philosopher("a", "c")], traces: 6)
  }

  @Test func twoRoundsUnderALock() {
    let round: Body = [.lock("m"), .add("x", 1), .unlock("m")]
    expect([round + round, round + round], traces: 6)
  }

  @Test func aRacyCounter() {
    let body: Body = [.read("x"), .write("x") { $0.last + 1 }]
    let model = Model([body, body])
    var lost = 0
    let tally = model.reduced { if $0.state.cells["x"] == 1 { lost += 1 } }
    #expect(tally.runs == 4)
    #expect(tally.interleavings == 6)
    #expect(lost == 2)
    expect([body, body], traces: 4, interleavings: 6)
  }

  @Test func aSignalTheWrongWayRound() {
    let loop: Body = [.read("pending"), .jump(to: 4, ifLast: 1), .take("wake"), .jump(to: 0, ifLast: 0)]
    expect([loop, [.post("wake"), set("pending", 1)]], traces: 3, interleavings: 7, stuck: 1, stuckInterleavings: 2)
    let right = Model([loop, [set("pending", 1), .post("wake")]]).reduced()
    #expect(right.stuck == 0)
  }

  @Test func threeSleepers() {
    let bodies: [Body] = [[.sleep(1), .add("list", 1)], [.sleep(1), .add("list", 2)], [.sleep(2), .add("list", 3)]]
    expect(bodies, traces: 2)
    expect(bodies, traces: 6, timeIsFree: true)
  }

  @Test func sevenAdditionsOfTwoThreads() {
    let body = Body(repeating: .add("x", 1), count: 7)
    let tally = Model([body, body]).reduced()
    #expect(tally.runs == 3432)
    #expect(tally.traces.count == 3432)
    #expect(tally.interleavings == 3432)
  }

  @Test func stepsThatCanGoSeveralWays() {
    expect([[.choose(3)], [.choose(2)]], traces: 6, interleavings: 12)
    expect([[.choose(2), .jump(to: 3, ifLast: 0), .add("x", 1)], [.add("x", 2)]], traces: 3)
  }
}

/// Both ways of exploring must come to the same.
func expectAgreement(_ reduced: Tally, _ enumerated: Tally, _ sourceLocation: SourceLocation) {
  #expect(reduced.runs == enumerated.runs, sourceLocation: sourceLocation)
  #expect(reduced.traces == enumerated.traces, sourceLocation: sourceLocation)
  #expect(reduced.interleavings == enumerated.interleavings, sourceLocation: sourceLocation)
  #expect(reduced.stuck == enumerated.stuck, sourceLocation: sourceLocation)
  #expect(reduced.stuckInterleavings == enumerated.stuckInterleavings, sourceLocation: sourceLocation)
  #expect(reduced.preemptions == enumerated.preemptions, sourceLocation: sourceLocation)
  #expect(reduced.stuckPreemptions == enumerated.stuckPreemptions, sourceLocation: sourceLocation)
  #expect(abs(reduced.chance - enumerated.chance) < 1e-9, sourceLocation: sourceLocation)
  #expect(abs(reduced.chance - 1) < 1e-9, sourceLocation: sourceLocation)
}

extension KnownAnswerTests {
  @Test func aWaitThatBeganBeforeTheClockMovedCouldHaveEndedBefore() {
    // The second thread waits for the lock while the first sleeps with it; it could have had it first.
    let sleeper: Body = [.lock("m"), .sleep(1), .unlock("m")]
    let model = Model([sleeper, [.lock("m"), .unlock("m")]])
    #expect(model.reduced().runs == 2)
    #expect(model.enumerated().traces.count == 2)
  }
}
