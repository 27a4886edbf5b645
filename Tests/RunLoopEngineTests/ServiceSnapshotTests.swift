import RunLoopEngine
import Testing

/// A program with objects, pools, notifications, message ports and few cores.
@Body
private func services() -> [Instruction] {
  observe("n", as: "1") { log("n") }
  observe("threadWillExit", as: "2") { temporary("byExit") }
  spawn("s") {
    messagePort("M") {
      temporary("t")
      work(0.3)
      postNotification("n")
      returns(7)
    }
    run(10)
  }
  for name in ["a", "b"] {
    spawn(name, joinable: true) {
      temporary(name) { sleep(until: 0.2) }
      sleep(until: 0.1)
      times(3) {
        show(request("M", 1, receive: 0.7))
        work(0.25)
      }
    }
  }
  setPriority("b", 0.7)
  join("a")
  join("b")
}

@Suite("Snapshots of services")
struct ServiceSnapshotTests {
  @Test("A copy made at any turn and the original come to the same end", arguments: [nil, 1, 2] as [UInt64?])
  func copyAtEveryTurn(seed: UInt64?) {
    var configuration = Configuration()
    configuration.seed = seed
    configuration.cores = 1
    configuration.quantum = 100_000_000
    var reference = Machine(configuration, main: services())
    reference.run()
    #expect(reference.reason == .returned, "\(reference.trace(.everything))")
    var machine = Machine(configuration, main: services())
    var turns = 0
    while machine.turn() == nil {
      var copy = machine
      copy.run()
      #expect(copy.records == reference.records, "copied after turn \(turns)")
      turns += 1
    }
    #expect(turns > 20)
    #expect(machine.records == reference.records)
  }
}
