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

  @Test(arguments: 1...40) func aBoundOfPreemptionsLeavesOutExactlyTheOthers(seed: UInt64) {
    var random = Generator(state: seed &* 0xD1B5_4A32_D192_ED03)
    let bodies = (0..<2).map { _ in Self.body(5, &random) }
    let all = Model(bodies).reduced()
    for bound in 0...2 {
      let model = Model(bodies)
      var search = Enumeration(model, maximumPreemptions: bound, mergesTraces: true)
      var traces: Set<TraceHash> = []
      while search.nextRun() { traces.insert(search.trail.traceHash) }
      let expected = all.preemptions.filter { $0.key <= bound }.values.reduce(0, +)
      #expect(traces.count == expected, "at most \(bound): \(bodies)")
    }
  }
}
