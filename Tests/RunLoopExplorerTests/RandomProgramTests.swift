import Testing

@testable import RunLoopExplorer

/// Programs by chance: the reduced exploration has to agree with the full one in every figure.
@Suite struct RandomProgramTests {
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 31
    }
  }

  private static func body(_ length: Int, _ random: inout Generator) -> [Model.Operation] {
    var body: [Model.Operation] = []
    let cells = ["x", "y"]
    let locks = ["a", "b"]
    while body.count < length {
      let cell = cells.randomElement(using: &random)!
      let lock = locks.randomElement(using: &random)!
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1: body.append(.read(cell))
      case 2, 3: body.append(.write(cell) { $0.last + 1 })
      case 4: body.append(.add(cell, 1))
      case 5: body += [.lock(lock), .add(cell, 1), .unlock(lock)]
      case 6: body += [.lock("a"), .lock("b"), .unlock("b"), .unlock("a")]
      case 7: body.append([.post("s"), .take("s"), .pick(cell)].randomElement(using: &random)!)
      default: body.append(Bool.random(using: &random) ? .choose(2) : .sleep(Int.random(in: 1...2, using: &random)))
      }
    }
    return body
  }

  /// Steps of which some touch a cell only when another one has some value.
  private static func changeableBody(_ length: Int, _ random: inout Generator) -> [Model.Operation] {
    let cells = ["x", "y", "z"]
    return (0..<length).map { _ in
      let (cell, other) = (cells.randomElement(using: &random)!, cells.randomElement(using: &random)!)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return .read(cell)
      case 1: return .add(cell, 1)
      case 2: return .exchange(cell, Int.random(in: 0...1, using: &random), for: 2)
      default: return .follow(cell, to: other)
      }
    }
  }

  @Test(arguments: 1...100) func bothWaysAgree(seed: UInt64) {
    var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15)
    let threads = Int.random(in: 2...3, using: &random)
    let bodies = (0..<threads).map { _ in Self.body(threads == 2 ? 5 : 3, &random) }
    let reduced = Model(bodies).reduced()
    let enumerated = Model(bodies).enumerated()
    #expect(reduced.traces == enumerated.traces, "\(bodies)")
    #expect(reduced.runs == enumerated.traces.count, "one run for each trace: \(bodies)")
    #expect(reduced.interleavings == enumerated.interleavings)
    #expect(reduced.stuckInterleavings == enumerated.stuckInterleavings)
    #expect(reduced.preemptions == enumerated.preemptions)
    #expect(abs(reduced.chance - 1) < 1e-9)
  }

  /// One complete run for each trace, and the same figures as of all interleavings.
  private func expectAgreement(_ bodies: [[Model.Operation]], timeIsFree: Bool = false) {
    let reduced = Model(bodies, timeIsFree: timeIsFree).reduced()
    let enumerated = Model(bodies, timeIsFree: timeIsFree).enumerated()
    #expect(reduced.traces == enumerated.traces, "\(bodies)")
    #expect(reduced.completeRuns == enumerated.traces.count, "one run for each trace: \(bodies)")
    #expect(reduced.interleavings == enumerated.interleavings)
    #expect(abs(reduced.chance - 1) < 1e-9)
  }

  /// The clock may go on at any time: then it is an actor whose step is possible while something is due.
  @Test(arguments: 1...80) func bothWaysAgreeUnderAFreeClock(seed: UInt64) {
    var random = Generator(state: seed &* 0xE703_7ED1_A0B4_28DB)
    let threads = Int.random(in: 2...3, using: &random)
    let bodies = (0..<threads).map { _ in
      Self.body(threads == 2 ? 2 : 1, &random) + [.sleep(Int.random(in: 1...2, using: &random)), .add("x", 1)]
    }
    expectAgreement(bodies, timeIsFree: true)
  }

  /// What a step touches may depend on what came before, so that it is not what was known when a run was planned.
  @Test(arguments: 1...150) func stepsThatTouchNowMoreNowLess(seed: UInt64) {
    var random = Generator(state: seed &* 0x9FB2_1C65_1E98_DF25)
    let threads = Int.random(in: 2...4, using: &random)
    let bodies = (0..<threads).map { _ in Self.changeableBody([0, 0, 4, 3, 2][threads], &random) }
    expectAgreement(bodies)
  }

  /// The bound leaves out exactly the traces that need more, and costs no more runs than none.
  @Test(arguments: 1...500) func aBoundOfPreemptionsLeavesOutExactlyTheOthers(seed: UInt64) {
    var random = Generator(state: seed &* 0xD1B5_4A32_D192_ED03)
    let threads = Int.random(in: 2...4, using: &random)
    let bodies = (0..<threads).map { _ in Self.body([0, 0, 5, 3, 2][threads], &random) }
    let all = Model(bodies).reduced()
    var runsBefore = 0
    for bound in 0...3 {
      let tally = Model(bodies).reduced(maximumPreemptions: bound)
      let expected = all.preemptions.filter { $0.key <= bound }
      #expect(tally.preemptions.filter { $0.key <= bound } == expected, "at most \(bound): \(bodies)")
      #expect(tally.runs <= all.runs, "at most \(bound): \(bodies)")
      #expect(tally.runs >= runsBefore, "at most \(bound): \(bodies)")
      runsBefore = tally.runs
    }
  }

  /// Cut into parts, each trace is in one of them, and none in two.
  @Test(arguments: 1...40) func partsAreTheWhole(seed: UInt64) {
    var random = Generator(state: seed &* 0xA24B_AED4_963E_E407)
    let threads = Int.random(in: 2...4, using: &random)
    let length = [0, 0, 4, 2, 1][threads]
    let bodies = (0..<threads).map { _ in
      seed % 2 == 0 ? Self.changeableBody(length, &random) : Self.body(length, &random)
    }
    let whole = Model(bodies).reduced()
    let model = Model(bodies)
    var traces: [TraceHash: Int] = [:]
    for part in Plan.parts(of: model, reduces: true, maximumPreemptions: nil, enough: 12) {
      var search = OptimalReduction(model, from: part)
      while true {
        let advance = search.nextRun()
        if advance == .over { break }
        if advance == .run { traces[search.trail.traceHash, default: 0] += 1 }
      }
    }
    #expect(Set(traces.keys) == whole.traces, "\(bodies)")
    #expect(traces.values.allSatisfy { $0 == 1 }, "\(bodies)")
    var interleavings = 0.0
    for part in Plan.parts(of: model, reduces: false, maximumPreemptions: nil, enough: 12) {
      var search = Enumeration(model, from: part)
      while case .run = search.nextRun() { interleavings += 1 }
    }
    #expect(interleavings == whole.interleavings, "\(bodies)")
  }

  /// Left after every run, written down, and gone on with in another search: it comes to the same runs.
  @Test(arguments: 1...60) func aSearchGoesOnWhereItWasLeft(seed: UInt64) throws {
    var random = Generator(state: seed &* 0x9FB2_1C65_1E98_DF25)
    let bodies = (0..<3).map { _ in seed % 2 == 0 ? Self.changeableBody(2, &random) : Self.body(2, &random) }
    func all(_ make: (Model) -> OptimalReduction<Model>, leaving: Bool) throws -> [TraceHash] {
      var traces: [TraceHash] = []
      var search = make(Model(bodies))
      while true {
        let advance = search.nextRun()
        if advance == .over { break }
        if advance == .run { traces.append(search.trail.traceHash) }
        guard leaving else { continue }
        let state = try JSON(Array(search.state.text.utf8))
        search = make(Model(bodies))
        let isRestored = search.restore(state)
        #expect(isRestored)
      }
      return traces
    }
    let whole = try all({ OptimalReduction($0) }, leaving: false)
    #expect(try all({ OptimalReduction($0) }, leaving: true) == whole)
    var interleavings: [[TraceHash]] = [[], []]
    for leaves in [0, 1] {
      var search = Enumeration(Model(bodies))
      while case .run = search.nextRun() {
        interleavings[leaves].append(search.trail.traceHash)
        guard leaves == 1 else { continue }
        let state = try JSON(Array(search.state.text.utf8))
        search = Enumeration(Model(bodies))
        let isRestored = search.restore(state)
        #expect(isRestored)
      }
    }
    #expect(interleavings[0] == interleavings[1])
  }
}
