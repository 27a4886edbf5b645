import Testing

@testable import RunLoopEngine

@Suite("4 Conditions and semaphores")
struct ConditionTests {
  @Test("4 A signal wakes the longest waiter, which then has to get the mutex again")
  func signals() {
    simulate {
      make(.condition, "c")
      for name in ["a", "b"] {
        spawn(name) {
          lock("c")
          wait(for: "c")
          log(name)
          unlock("c")
        }
      }
      yield()
      signal(condition: "c")
      lock("c")
      yield()
      signal(condition: "c")
      signal(condition: "c")
      unlock("c")
      yield()
      lock("c")
      unlock("c")
    }.expect(
      .locks,
      """
      [a] lock(c) conditionWait(c) [b] lock(c) conditionWait(c) [main] conditionSignal(c) lock(c)
      conditionSignal(c) conditionSignal(c,lost) unlock(c) [a] conditionWake(c) 'a' unlock(c)
      [b] conditionWake(c) [main] wait(c,b) [b] 'b' unlock(c) [main] lock(c) unlock(c)
      """)
  }

  @Test("4 Between the signal and the retake another thread may take the mutex")
  func barging() {
    simulate {
      make(.condition, "c")
      spawn("a") {
        lock("c")
        wait(for: "c")
        log("a")
      }
      spawn("b") {
        lock("c")
        signal(condition: "c")
        unlock("c")
        lock("c")
        log("b")
        sleep(until: 1)
        unlock("c")
      }
      sleep(until: 2)
    }.expect(.logs, "[b] 'b' @1 [a] 'a'")
  }

  @Test("4 A broadcast wakes all, in order")
  func broadcasts() {
    simulate {
      make(.condition, "c")
      for name in ["a", "b", "d"] {
        spawn(name) {
          lock("c")
          wait(for: "c")
          log(name)
          unlock("c")
        }
      }
      yield()
      broadcast("c")
      broadcast("c")
      yield()
    }.expect(
      .locks.without(.lock, .unlock, .conditionWait),
      "conditionSignal(c,all) conditionSignal(c,all,lost) [a] conditionWake(c) 'a' [b] conditionWake(c) 'b' "
        + "[d] conditionWake(c) 'd'")
  }

  @Test("4 A wait with a date gives false when it has passed, and has the mutex then")
  func dates() {
    simulate {
      make(.condition, "c")
      lock("c")
      show(wait(for: "c", until: 0))
      spawn("w") {
        lock("c")
        work(2)
        unlock("c")
        sleep(until: 3)
        signal(condition: "c")
      }
      show(wait(for: "c", until: 1))
      show(wait(for: "c", until: 9))
      unlock("c")
    }.expect(
      .locks,
      """
      lock(c) conditionWake(c,timedOut) 'false' conditionWait(c) [w] lock(c)
      @2 unlock(c) [main] conditionWake(c,timedOut) 'false' conditionWait(c)
      @3 [w] conditionSignal(c) [main] conditionWake(c) 'true' unlock(c)
      """)
  }

  @Test("Waiting without the mutex is refused")
  func withoutMutex() {
    simulate {
      make(.condition, "c")
      wait(for: "c")
      spawn("w") {
        lock("c")
        sleep(until: 1)
      }
      yield()
      wait(for: "c", until: 1)
    }.expect(.logs, "'!waitWithoutLock' '!waitWithoutLock'")
  }

  @Test("2.8 linux: to wait until the distant future ends the process")
  func linuxTrap() {
    let program: [Instruction] = [
      make(.condition, "c"), lock("c"), wait(for: "c", until: .infinity),
    ]
    let machine = simulate(.linux) { program }
    machine.expect(.everything.without(.threadStart, .lock), "[-] fault(trap) end(fault,detail=trap)")
    #expect(machine.faults.count == 1)
    #expect(machine.faults[0].hasPrefix("reason=conditionWaitUntilDistantFuture condition=c"))
    #expect(machine.simulation.endMessage.contains("condition:waitUntil"))
    simulate { program }.expect(.locks.without(.lock), "conditionWait(c) fault(stuck)")
  }

  @Test("4 Spurious wake-ups, when they are asked for: every other wait of a thread")
  func spurious() {
    var configuration = Configuration()
    configuration.spuriousWakeups = true
    let main = Body.buildBlock(
      [make(.condition, "c"), lock("c")], [wait(for: "c"), show(wait(for: "c", until: 1))],
      [show(wait(for: "c", until: 2))])
    var machine = Machine(configuration, main: main)
    machine.run()
    machine.expect(
      .locks.without(.lock),
      """
      conditionWait(c) conditionWake(c,spurious) conditionWait(c) @1 conditionWake(c,timedOut) 'false'
      conditionWait(c) conditionWake(c,spurious) 'true'
      """)
  }

  @Test("5 stuck: a condition nobody is left to signal")
  func stuck() {
    let machine = simulate {
      make(.condition, "c")
      semaphore("s")
      spawn("w", joinable: true) { take("s", line: 1) }
      lock("c")
      wait(for: "c", line: 2)
    }
    machine.expect(.fault)
    #expect(
      machine.faults == [
        "thread=main waits=condition:c at=test:2", "thread=w waits=semaphore:s at=test:1",
      ])
  }

  @Test("5 deadlock: a woken waiter waits for its mutex")
  func deadlockByRetake() {
    let machine = simulate {
      make(.condition, "c")
      make(.mutex, "m")
      spawn("w", joinable: true) {
        lock("m")
        lock("c")
        wait(for: "c")
      }
      yield()
      lock("c")
      signal(condition: "c")
      yield()
      lock("m")
    }
    machine.expect(Show(kinds: [.fault]), "fault(deadlock) [w] fault(deadlock)")
    #expect(machine.faults.last?.contains("waits=lock:c holder=main") == true)
  }

  @Test("A semaphore lets through as many as its value, then the longest waiter at each signal")
  func semaphores() {
    simulate {
      semaphore("s", value: 1)
      for name in ["a", "b", "d"] {
        spawn(name) {
          show(take("s"))
          log(name)
        }
      }
      yield()
      show(give("s"))
      show(take("s", before: 0))
      show(give("s"))
      show(give("s"))
      show(take("s", before: 1))
      show(take("s", before: 1))
    }.expect(
      .locks,
      """
      [a] semaphoreWait(s) 'true' 'a' [b] semaphoreWait(s) [d] semaphoreWait(s)
      [main] semaphoreSignal(s) [b] semaphoreWake(s) [main] 'true' semaphoreWait(s) semaphoreWake(s,timedOut) 'false'
      semaphoreSignal(s) [d] semaphoreWake(s) [main] 'true' semaphoreSignal(s) 'false' semaphoreWait(s) 'true'
      semaphoreWait(s) [b] 'true' 'b' [d] 'true' 'd' @1 [main] semaphoreWake(s,timedOut) 'false'
      """)
  }
}
