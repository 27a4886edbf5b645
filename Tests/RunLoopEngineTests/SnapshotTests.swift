import RunLoopEngine
import Testing

/// A program in which something of everything is going on.
@Body
private func everything() -> [Instruction] {
  observer("o", .all) { on(2, 5) { block { log("from observer") } } }
  timer("t", at: 0.1, every: 0.1, tolerance: 0.02) {
    on(3) { run(0.25) }
    on(5) { setNextFireDate("u", 0) }
  }
  add("t", in: "m")
  timer("u", at: 0.75) { run(0.1, in: "m") }
  source("S") {
    on(1) { run(0, in: "m") }
  } cancel: {
    log("cancel")
  }
  port("P", capacity: 1) { log("receive") }
  add("P", in: "m")
  spawn("a", joinable: true) {
    times(3) { send("P", "a") }
    perform("f", on: "main", wait: true) { work(0.05) }
    log("a")
  }
  spawn("b", joinable: true) {
    source("B", cancel: { log("cancel B") })
    timer("w", at: 0.35, every: 0.2) {
      signal("S")
      wakeUp("main")
    }
    runUntil(0.9)
    sync { log("from b") }
  }
  spawn("c") {
    times(5) {
      work(0.07)
      async { log("queued") }
      perform("g", on: "b") { log("g") }
      block(in: "m", of: "main") { log("block") }
    }
    send("P", "c", before: 0.4)
  }
  run(0.6)
  invalidate("S")
  join("a")
  run(0.5)
  run(0.2, in: "m")
  join("b")
}

@Suite("Snapshots and seeds")
struct SnapshotTests {
  /// The machine of a program before its first turn.
  private func machine(seed: UInt64?) -> Machine {
    var configuration = Configuration()
    configuration.seed = seed
    return Machine(configuration, main: everything())
  }

  @Test("A copy made at any turn and the original come to the same end", arguments: [nil, 1, 2] as [UInt64?])
  func copyAtEveryTurn(seed: UInt64?) {
    var reference = machine(seed: seed)
    reference.run()
    #expect(reference.reason == .returned, "\(reference.trace(.everything))")
    var machine = machine(seed: seed)
    var turns = 0
    var copies: [Machine] = []
    while machine.turn() == nil {
      var copy = machine
      if turns % 3 == 0 { copies.append(machine) }
      copy.run()
      #expect(copy.records == reference.records, "copied after turn \(turns)")
      turns += 1
    }
    #expect(turns > 20)
    #expect(machine.records == reference.records)
    // The original has run to its end meanwhile, and has changed none of them.
    for index in copies.indices {
      copies[index].run()
      #expect(copies[index].records == reference.records)
    }
  }

  @Test("What is done to one of two copies is not seen by the other")
  func independence() {
    var first = machine(seed: nil)
    for _ in 0..<10 { _ = first.turn() }
    var second = first
    let time = first.simulation.now
    let name = second.name("only here")
    _ = second.simulation.makeTimer(
      name: name, fireDate: 0, interval: 1, repeats: true, tolerance: 0, order: 0, fire: .none)
    _ = second.simulation.makeModeList([name, .defaultMode])
    second.log("only here", on: .main)
    second.run()
    #expect(first.simulation.now == time)
    #expect(second.simulation.now > time)
    first.run()
    var reference = machine(seed: nil)
    reference.run()
    #expect(first.records == reference.records)
    #expect(second.records != reference.records)
    #expect(second.records.filter { $0.token != "'only here'" } == reference.records)
  }

  @Test("Two runs with the same seed are the same", arguments: [nil, 0, 1, 2, 77, .max] as [UInt64?])
  func sameSeed(seed: UInt64?) {
    var first = machine(seed: seed)
    var second = machine(seed: seed)
    first.run()
    second.run()
    #expect(first.records == second.records)
  }

  @Test("Different seeds differ; every outcome keeps each thread's own order and the clock's")
  func differentSeeds() {
    var outcomes: Set<String> = []
    for seed in 0..<60 as Range<UInt64> {
      let machine = simulate(seed: seed) {
        for name in ["a", "b", "c"] {
          spawn(name, joinable: true) {
            for step in 1...3 {
              isWaiting()
              log("\(name)\(step)")
            }
          }
        }
        for name in ["a", "b", "c"] { join(name) }
        log("end")
      }
      machine.expect(.returned)
      let logged = machine.records.filter { $0.kind == .log }
      #expect(logged.count == 10)
      #expect(logged.last?.token == "'end'")
      for name in ["a", "b", "c"] {
        #expect(logged.filter { $0.thread == name }.map(\.token) == (1...3).map { "'\(name)\($0)'" })
      }
      #expect(zip(machine.records, machine.records.dropFirst()).allSatisfy { $0.time <= $1.time })
      outcomes.insert(machine.trace(.logs))
    }
    #expect(outcomes.count > 20)
  }

  @Test("With any seed a signal and a wake-up from another thread are never lost")
  func signalAndWakeUpWithSeeds() {
    var outcomes: Set<String> = []
    for seed in 0..<100 as Range<UInt64> {
      let machine = simulate(seed: seed) {
        source("S") { stop() }
        spawn("w") {
          signal("S")
          wakeUp("main")
        }
        RunLoopEngineTests.run()
      }
      machine.expect(.returned)
      outcomes.insert(machine.trace(Show.passes.and(.sourceSignal, .loopWakeUp)))
    }
    #expect(outcomes.count > 2)
  }

  @Test("A signal without a wake-up is lost with some seeds, and not with others")
  func lostSignalWithSeeds() {
    var reasons: Set<EndReason> = []
    for seed in 0..<100 as Range<UInt64> {
      let machine = simulate(seed: seed) {
        source("S") { stop() }
        spawn("w") { signal("S") }
        RunLoopEngineTests.run()
      }
      guard let reason = machine.reason else { continue }
      reasons.insert(reason)
    }
    #expect(reasons == [.returned, .fault])
  }

  @Test("SplitMix64 gives the published numbers for a seed")
  func splitMix() {
    var random = SplitMix64(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
      16_408_922_859_458_223_821,
    ]
    #expect(expected.map { _ in random.next() } == expected)
    var zero = SplitMix64(seed: 0)
    #expect(zero.next() == 0xE220_A839_7B1D_CDAF)
  }
}
