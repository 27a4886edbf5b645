import Testing

@testable import RunLoopEngine

@Suite("5 How a run ends")
struct EndTests {
  /// The faults and the end of a run.
  private let ends = Show(kinds: [.fault, .expectFail, .end])

  @Test("5 returned: the process ended")
  func returned() {
    let machine = simulate { run(1) }
    machine.expect(ends, "@1 [-] end(returned)")
    machine.expect(.returned)
  }

  @Test("5 idle: every thread left sleeps in a run loop and nothing pending could ever wake one")
  func idle() {
    let machine = simulate {
      spawn("w") {
        source("S")
        RunLoopEngineTests.run()
      }
      timer("t", at: 1)
      RunLoopEngineTests.run()
    }
    machine.expect(ends, "@1 [-] end(idle)")
    machine.expect(.idle)
  }

  @Test("5 until: the asked-for time was reached; what is due at that very moment still happens")
  func until() {
    let machine = simulate(until: 2) {
      timer("t", at: 1, every: 1)
      RunLoopEngineTests.run()
    }
    machine.expect(.callouts.and(.end), "@1 t#1 @2 t#2 [-] end(until)")
    machine.expect(.until)
    #expect(machine.simulation.now == 2_000_000_000)
    simulate(until: 2.5) {
      timer("t", at: 1, every: 1)
      RunLoopEngineTests.run()
    }.expect(.callouts.and(.end), "@1 t#1 @2 t#2 @2.5 [-] end(until)")
  }

  @Test("5 deadlock: threads that join each other")
  func deadlockByJoins() {
    let machine = simulate {
      thread("a", joinable: true) { join("b") }
      thread("b", joinable: true) { join("a") }
      start("a")
      start("b")
    }
    machine.expect(ends, "[a] fault(deadlock) [b] fault(deadlock) [-] end(fault)")
    machine.expect(.fault)
  }

  @Test("5 deadlock: performs with wait, and a block of the main queue against a join")
  func deadlockByPerforms() {
    simulate {
      thread("a", joinable: true) { perform("f", on: "b", wait: true) }
      thread("b", joinable: true) { perform("g", on: "a", wait: true) }
      start("a")
      start("b")
    }.expect(ends, "[a] fault(deadlock) [b] fault(deadlock) [-] end(fault)")
    simulate {
      spawn("w", joinable: true) { sync {} }
      join("w")
    }.expect(ends, "fault(deadlock) [w] fault(deadlock) [-] end(fault)")
  }

  @Test("5 deadlock: full port queues of each other")
  func deadlockByPorts() {
    simulate {
      port("P", capacity: 1)
      spawn("w", joinable: true) {
        port("Q", capacity: 1)
        times(2) { send("P") }
      }
      yield()
      times(2) { send("Q") }
    }.expect(ends, "fault(deadlock) [w] fault(deadlock) [-] end(fault)")
    // A thread that waits for room which only itself could make waits for itself.
    simulate {
      port("P", capacity: 1)
      times(2) { send("P") }
    }.expect(ends, "fault(deadlock) [-] end(fault)")
  }

  @Test("5 A deadlock is a fault although other threads go on")
  func deadlockBesideOthers() {
    let machine = simulate(until: 5) {
      thread("a") { perform("f", on: "b", wait: true) }
      thread("b") { perform("g", on: "a", wait: true) }
      start("a")
      start("b")
      timer("t", at: 1, every: 1)
      RunLoopEngineTests.run()
    }
    machine.expect(ends, "@5 [a] fault(deadlock) [b] fault(deadlock) [-] end(fault)")
  }

  @Test("5 stuck: a thread waits for what nobody left can give")
  func stuck() {
    simulate {
      spawn("w", joinable: true) {
        source("S")
        RunLoopEngineTests.run()
      }
      join("w")
    }.expect(ends, "fault(stuck) [-] end(fault)")
    simulate {
      port("P", capacity: 1, in: nil)
      times(2) { send("P") }
    }.expect(ends, "fault(stuck) [-] end(fault)")
    simulate {
      spawn("w") {
        source("S")
        RunLoopEngineTests.run()
      }
      perform("f", on: "w", in: ["m"], wait: true)
    }.expect(ends, "fault(stuck) [-] end(fault)")
  }

  @Test("5 lostWakeup: a loop sleeps for ever although a source of its mode is signalled")
  func lostSignal() {
    let machine = simulate {
      source("S")
      spawn("w") {
        sleep(until: 1)
        signal("S")
      }
      RunLoopEngineTests.run()
    }
    machine.expect(ends, "@1 fault(lostWakeup) [-] end(fault)")
    machine.expect(.fault)
  }

  @Test("5 lostWakeup: a block is queued for the loop")
  func lostBlock() {
    simulate {
      spawn("w") {
        sleep(until: 1)
        block(in: "m", of: "main") {}
        block(in: "common", of: "main") {}
      }
      RunLoopEngineTests.run()
    }.expect(ends, "@1 fault(lostWakeup) [-] end(fault)")
  }

  @Test("5 A source signalled in another mode than the one that sleeps is no lostWakeup")
  func signalInOtherMode() {
    simulate {
      source("S", in: "m")
      spawn("w") {
        sleep(until: 1)
        signal("S")
      }
      RunLoopEngineTests.run()
    }.expect(ends, "@1 [-] end(idle)")
  }

  @Test("5 busyLoop: passes or runs follow each other without a callout and without a step of the clock")
  func busyLoop() {
    for mode in ["default", "nowhere"] {
      let machine = simulate {
        times(3) { run(1) }
        forever { run(0, in: mode) }
      }
      machine.expect(ends, "@3 fault(busyLoop) [-] end(fault)")
      #expect(machine.records.count { $0.time > 2_999_999_999 && $0.kind == .runEnter } == 10_001)
    }
    simulate { forever { runMode("nowhere", before: 1) } }.expect(ends, "fault(busyLoop) [-] end(fault)")
    simulate {
      spawn("w") { forever { runUntil(1) } }
      sleep(until: 1)
    }.expect(ends, "[w] fault(busyLoop) [-] end(fault)")
  }

  @Test("5 A poll in a loop that lets time pass or calls something is no busyLoop")
  func notBusy() {
    let machine = simulate {
      times(10_100) {
        run(0)
        work(1e-6)
      }
      source("S") { log("performed") }
      times(10_100) {
        signal("S")
        run(0)
      }
    }
    machine.expect(.returned)
  }

  @Test("5 expectation: an rl.expect failed; the run goes on")
  func expectation() {
    let machine = simulate {
      failExpectation("one")
      run(1)
    }
    machine.expect(ends, "failed(one) @1 [-] fault(expectation) end(fault)")
    #expect(machine.simulation.failedExpectations == 1)
  }

  @Test("5 All faults that hold are reported, deadlock before lostWakeup before stuck")
  func allFaults() {
    simulate {
      source("S")
      failExpectation("one")
      thread("a") { perform("f", on: "b", wait: true) }
      thread("b") { perform("g", on: "a", wait: true) }
      start("a")
      start("b")
      spawn("v") { perform("h", on: "main", in: ["m"], wait: true) }
      spawn("w") {
        sleep(until: 1)
        signal("S")
      }
      RunLoopEngineTests.run()
    }.expect(
      ends,
      """
      failed(one) @1 [a] fault(deadlock) [b] fault(deadlock) [main] fault(lostWakeup) [v] fault(stuck)
      [-] fault(expectation) end(fault)
      """)
  }

  @Test("5 limit: more steps or virtual time than allowed")
  func limits() {
    var configuration = Configuration()
    configuration.maximumSteps = 1_000
    var machine = Machine(configuration, main: [forever { isWaiting() }])
    #expect(machine.run() == .limit)
    machine.expect(ends, "[-] end(limit,detail=steps)")
    configuration = Configuration()
    configuration.maximumTime = 10_000_000_000
    machine = Machine(configuration, main: timer("t", at: 4, every: 4) + [RunLoopEngineTests.run()])
    #expect(machine.run() == .limit)
    machine.expect(.callouts.and(.end), "@4 t#1 @8 t#2 [-] end(limit,detail=time)")
  }

  @Test("5 Runs nested too deep are refused")
  func depth() {
    var configuration = Configuration()
    configuration.maximumDepth = 20
    var machine = Machine(
      configuration,
      main: source("S") {
        signal("S")
        run(0)
      } + [signal("S"), run(0)])
    machine.run()
    #expect(machine.records.contains { $0.token == "'!nestedTooDeep'" })
  }

  @Test("5 What is not traced costs no events and changes nothing")
  func untraced() {
    var configuration = Configuration()
    configuration.tracing = .none
    configuration.until = 5_000_000_000
    var machine = Machine(
      configuration, main: timer("t", at: 1, every: 1) { log("tick") } + [RunLoopEngineTests.run()])
    #expect(machine.run() == .until)
    #expect(machine.records.map(\.kind) == [.end])
    #expect(machine.simulation.fireCount(machine.timer("t")) == 5)
  }
}
