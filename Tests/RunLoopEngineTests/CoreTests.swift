import RunLoopEngine
import Testing

/// Threads that work for a second each, with their priorities.
@Body
private func workers(_ names: [(String, Double)], for time: Double = 1, twice: Bool = false) -> [Instruction] {
  for (name, priority) in names {
    thread(name) {
      work(time)
      log("done")
      if twice {
        work(time)
        log("again")
      }
    }
    setPriority(name, priority)
    start(name)
  }
  sleep(until: 100)
}

@Suite("4 Limited cores")
struct CoreTests {
  @Test("With as many processors as threads all work at once")
  func unlimited() {
    simulate { workers([("a", 0.5), ("b", 0.5), ("c", 0.5)]) }.expect(.logs, "@1 [a] 'done' [b] 'done' [c] 'done'")
  }

  @Test("At most as many threads work at once as there are cores; equal ones take turns")
  func cores() {
    simulate(cores: 1) { workers([("a", 0.5), ("b", 0.5), ("c", 0.5)], twice: true) }.expect(
      .logs, "@1 [a] 'done' @2 [b] 'done' @3 [c] 'done' @4 [a] 'again' @5 [b] 'again' @6 [c] 'again'")
    simulate(cores: 2) { workers([("a", 0.5), ("b", 0.5), ("c", 0.5)]) }.expect(
      .logs, "@1 [a] 'done' [b] 'done' @2 [c] 'done'")
  }

  @Test("A free core takes the ready thread of the highest priority")
  func priorities() {
    simulate(cores: 1) { workers([("low", 0), ("high", 1), ("middle", 0.5)], twice: true) }.expect(
      .logs, "@1 [high] 'done' @2 'again' @3 [middle] 'done' @4 'again' @5 [low] 'done' @6 'again'")
  }

  @Test("A thread of high priority that always works starves a low one")
  func starvation() {
    let machine = simulate(cores: 1, quantum: 0.1) {
      thread("low") { log("low") }
      setPriority("low", 0.2)
      start("low")
      thread("high") { times(100) { work(0.35) } }
      setPriority("high", 0.8)
      start("high")
      sleep(until: 100)
    }
    machine.expect(.logs, "@35 [low] 'low'")
  }

  @Test("A quantum that runs out yields to equal or higher priority; the rest of the work is kept")
  func quantum() {
    simulate(cores: 1, quantum: 0.25) { workers([("a", 0.5), ("b", 0.5)]) }.expect(
      .logs, "@1.75 [a] 'done' @2 [b] 'done'")
    simulate(cores: 1, quantum: 0.25) { workers([("a", 0.6), ("b", 0.5)]) }.expect(
      .logs, "@1 [a] 'done' @2 [b] 'done'")
    simulate(cores: 1, quantum: 0.25) {
      thread("late") { log("late") }
      setPriority("late", 0.9)
      spawn("a") {
        work(1)
        log("done")
      }
      sleep(until: 0.3)
      start("late")
      sleep(until: 9)
    }.expect(.logs, "@0.5 [late] 'late' @1 [a] 'done'")
  }

  @Test("Who sleeps or waits holds no core")
  func waitingHoldsNoCore() {
    simulate(cores: 1) {
      spawn("sleeper") {
        sleep(until: 0.5)
        log("woke")
      }
      spawn("waiter") {
        port("P")
        run(9, one: true)
        log("received")
      }
      spawn("worker") {
        work(1)
        send("P")
        work(1)
        log("worked")
      }
      sleep(until: 9)
    }.expect(.logs, "@1 [sleeper] 'woke' [waiter] 'received' @2 [worker] 'worked'")
  }

  @Test("Timers come late when their thread gets no core")
  func lateTimers() {
    simulate(cores: 1) {
      spawn("worker") { work(2) }
      timer("t", at: 1, every: 0.5)
      run(2.2)
    }.expect(.callouts, "@2 t#1(late=1,missed=2) @2.2 =timedOut")
  }

  @Test("A thread that waits for a spin lock holds a core")
  func spinning() {
    simulate(cores: 1, quantum: 0.25) {
      make(.spinLock, "L")
      spawn("holder") {
        lock("L")
        work(1)
        unlock("L")
        log("unlocked")
      }
      spawn("spinner") {
        lock("L")
        log("locked")
      }
      spawn("giver") {
        sleep(until: 0.1)
        show(lock("L", before: 0.2))
      }
      sleep(until: 9)
    }.expect(.logs, "@0.5 [giver] 'false' @1.75 [holder] 'unlocked' [spinner] 'locked'")
  }

  @Test("Threads that spin for ever do not keep the run from its end")
  func hopelessSpinning() {
    let machine = simulate(cores: 1, quantum: 0.25) {
      make(.spinLock, "L")
      spawn("holder") {
        lock("L")
      }
      sleep(until: 1)
      lock("L")
    }
    machine.expect(.fault)
    #expect(machine.simulation.now < 10_000_000_000)
  }

  @Test("A thread that spins for a lock whose holder has a lower priority keeps it from its end: an inversion")
  func inversion() {
    let machine = simulate(cores: 1, quantum: 0.25) {
      make(.spinLock, "L")
      thread("holder") {
        lock("L")
        work(1)
        unlock("L")
      }
      setPriority("holder", 0.1)
      start("holder")
      sleep(until: 0.5)
      lock("L")
    }
    // The holder has worked for two quanta when main comes with the higher priority and takes its core.
    #expect(
      machine.faults == [
        "thread=main waits=lock:L holder=holder since=0.000000000 lockedAt=test:148 holderWaits=core at=test:155"
      ])
    #expect(machine.simulation.now < 1_000_000_000)
  }

  @Test("Equal priorities end no wait for a spin lock: its holder has its turn")
  func noInversion() {
    let machine = simulate(cores: 1, quantum: 0.25) {
      make(.spinLock, "L")
      spawn("holder") {
        lock("L")
        work(1)
        unlock("L")
        log("unlocked")
      }
      sleep(until: 0.4)
      lock("L")
      log("locked")
    }
    #expect(machine.trace(.logs).contains("'unlocked'"))
    #expect(machine.trace(.logs).contains("'locked'"))
  }

  @Test("Each quantum is a step")
  func quantaAreSteps() {
    let machine = simulate(cores: 1, quantum: 0.000_001, maximumSteps: 1000) { work(1) }
    #expect(machine.simulation.endMessage.contains("--max-steps"))
  }

  @Test("With a seed the choice is among the ready ones of the highest priority")
  func seeds() {
    var outcomes: Set<String> = []
    for seed in 0..<30 as Range<UInt64> {
      let machine = simulate(cores: 1, seed: seed) { workers([("low", 0), ("a", 0.5), ("b", 0.5)]) }
      outcomes.insert(machine.trace(.logs))
      #expect(machine.trace(.logs).hasSuffix("@3 [low] 'done'"))
    }
    #expect(outcomes.count == 2)
  }

  @Test("The stack size is kept, and set before the start")
  func stackSize() {
    let machine = simulate {
      thread("w") {}
      setStackSize("w", 65536)
      start("w")
      setStackSize("w", 16384)
      setStackSize("main", 16384)
      sleep(until: 1)
    }
    machine.expect(.logs, "'!alreadyStarted' '!alreadyStarted'")
    #expect(machine.simulation.stackSize(of: ThreadID(rawValue: 1)) == 65536)
    #expect(machine.simulation.stackSize(of: .main) == nil)
  }
}
