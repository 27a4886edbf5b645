import RunLoopEngine
import Testing

/// The shortcut of quiet passes must not be noticed.
@Suite("Quiet passes")
struct QuietPassTests {
  @Test("What happens is the same with and without the shortcut", arguments: 0..<150)
  func sameOutcome(seed: Int) {
    compare(seed) { program(&$0, grain: 1, timers: 4) }
  }

  @Test("What happens is the same when many timers are due at once", arguments: 0..<200)
  func sameOutcomeOfBatches(seed: Int) {
    compare(seed) { program(&$0, grain: 10, timers: 9) }
  }

  @Test("A batch of timers goes on at once, but for its last", arguments: [Profile.apple, .linux])
  func batches(profile: Profile) {
    var configuration = Configuration()
    configuration.profile = profile
    var program: [Instruction] = []
    for index in 0..<20 {
      program += timer("t\(index)", at: 1, every: 1) { on(9, 9, place: "\(index)") { log("ninth") } }
    }
    var machine = Machine(configuration, main: program + [run(5.5)])
    machine.run()
    #expect(machine.records.count { $0.kind == .timer } == 100)
    #expect(machine.quietFires == 5 * 18)
  }

  private func compare(_ seed: Int, _ program: (inout SplitMix64) -> [Instruction]) {
    var outcomes: [[Record]] = []
    var states: [[Int]] = []
    for quietPasses in [false, true] {
      var random = SplitMix64(seed: UInt64(seed))
      var configuration = Configuration()
      configuration.profile = [Profile.apple, .linux, .guide][seed % 3]
      if seed % 2 == 0 { configuration.tracing.subtract(EventCategories(.activity)) }
      configuration.quietPasses = quietPasses
      if seed % 4 == 0 { configuration.until = Nanoseconds(seconds: 1.85) }
      var machine = Machine(configuration, main: program(&random))
      machine.run()
      outcomes.append(machine.records)
      let names = machine.items.keys.sorted()
      states.append(
        names.flatMap { name in
          guard case .timer(let timer) = machine.item(name) else { return [Int]() }
          let simulation = machine.simulation
          return [
            simulation.fireCount(timer), simulation.missedCount(timer), Int(simulation.nextFireDate(timer)),
          ]
        } + [Int(machine.simulation.now), Int(machine.reason?.rawValue ?? -1)])
    }
    #expect(outcomes[0].count > 5)
    #expect(outcomes[0] == outcomes[1], "\(outcomes[0].map(\.token).joined(separator: " ").prefix(3_000))")
    #expect(states[0] == states[1])
  }

  @Test("Callouts that do nothing lead to the next fire at once, traced or not", arguments: [true, false])
  func stillCallouts(isTraced: Bool) {
    var configuration = Configuration()
    if !isTraced { configuration.tracing.subtract(EventCategories(.activity)) }
    let program =
      timer("a", at: 0.05, every: 0.1) { on(2, 2, place: "a") { log("second") } }
      + timer("b", at: 0.13, every: 0.07) { on(3, 3, place: "b") { log("third") } } + [run(2)]
    var machine = Machine(configuration, main: program)
    machine.run()
    #expect(machine.quietFires > 30)
    #expect(machine.quietFires < machine.records.count)
  }

  @Test("A loop of timers without functions comes back to the host now and then", arguments: [true, false])
  func restsWithoutCallouts(quietPasses: Bool) {
    var configuration = Configuration()
    configuration.quietPasses = quietPasses
    var machine = Machine(configuration, main: timer("a", at: 0.001, every: 0.001) + [run(100)])
    machine.run()
    // 100,000 fires of one step each, and six events for each step.
    #expect(machine.records.count { $0.kind == .timer } == 100_000)
    #expect(machine.restCount >= 20)
    #expect(machine.mostEvents < 6 * 4_200)
  }

  /// A loop of timers whose callbacks do something now and then.
  ///
  /// - Parameters:
  ///   - grain: dates and intervals are multiples of so many hundredths of a second.
  ///   - timers: the most there are.
  private func program(_ random: inout SplitMix64, grain: UInt64, timers: UInt64) -> [Instruction] {
    func below(_ bound: UInt64) -> Int { Int(random.next(upperBound: bound)) }
    func seconds(_ bound: UInt64) -> Double { Double((1 + below(bound / grain)) * Int(grain)) / 100 }
    var program = source("S") { log("performed") } + port("P")
    let count = 1 + below(timers)
    for index in 0..<count {
      let other = "t\(below(UInt64(count)))"
      var actions: [Instruction] = []
      switch below(14) {
      case 0: actions = [work(seconds(30))]
      case 1: actions = [setNextFireDate(other, seconds(200))]
      case 2: actions = [setNextFireDate(other, 0)]
      case 3: actions = [signal("S")]
      case 4: actions = [block { log("block") }]
      case 5: actions = [run(seconds(20))]
      case 6: actions = [remove(other), add(other)]
      case 7: actions = [send("P")]
      case 8: actions = [stop()]
      case 9: actions = timer("late\(index)", at: seconds(200), every: seconds(20))
      case 10: actions = [async { log("queued") }]
      case 11: actions = [sleep(until: seconds(150)), wakeUp()]
      default: break
      }
      let first = 1 + below(6)
      let place = "\(index)"
      let body = [on(first, first + 3, place: place) { actions }]
      let isOneShot = below(5) == 0
      let tolerance = grain > 1 && below(6) == 0 ? 0.03 : 0
      program += timer(
        "t\(index)", at: seconds(80), every: isOneShot ? nil : seconds(25), tolerance: tolerance
      ) { body }
    }
    if below(3) == 0 {
      let date = seconds(150)
      program += spawn("w") {
        sleep(until: date)
        timer("u", at: date + 0.05, every: 0.07, in: nil)
        add("u", of: "main")
        signal("S")
        wakeUp("main")
      }
    }
    if below(3) == 0 { program += observer("o", [.afterWaiting], repeats: below(2) == 0) }
    for _ in 0..<3 { program.append(run(seconds(120), one: below(2) == 0)) }
    return program
  }
}
