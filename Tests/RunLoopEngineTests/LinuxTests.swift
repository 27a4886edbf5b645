import RunLoopEngine
import Testing

@Suite("2.8 What linux changes")
struct LinuxTests {
  @Test("2.8 Tolerance: kept and capped under apple; under linux the getter gives 0 and the setter is ignored")
  func tolerance() {
    for (profile, trace, tolerance) in [
      (Profile.apple, "@1.5 t#1(late=0.5) @2 =timedOut", 500_000_000 as Nanoseconds),
      (.linux, "@1 t#1 @2 t#2 =timedOut", 0),
    ] {
      let machine = simulate(profile) {
        timer("t", at: 1, every: 1, tolerance: 0.7)
        setTolerance("t", 0.7)
        run(2)
      }
      machine.expect(.callouts, trace)
      #expect(machine.simulation.tolerance(machine.timer("t")) == tolerance)
    }
  }

  @Test("2.8 Condition locks that have to wait, and mutexes that have to until the distant future, end the process")
  func endlessWaitsForLocks() {
    let waits: [(LockKind, Instruction)] = [
      (.conditionLock, lock("m")), (.conditionLock, lock("m", when: 1)),
      (.conditionLock, lock("m", when: 0, before: .infinity)), (.conditionLock, lock("m", before: .infinity)),
      (.mutex, lock("m", before: .infinity)), (.recursiveMutex, lock("m", before: .infinity)),
    ]
    for (kind, wait) in waits {
      let program: [Instruction] = Body.buildBlock(
        [make(kind, "m")],
        spawn("w") {
          lock("m")
          sleep(until: 1)
          unlock("m")
        }, [sleep(until: 0.5), wait, log("after")])
      let machine = simulate(.linux) { program }
      let taken = kind == .conditionLock ? "lock(m=0)" : "lock(m)"
      machine.expect(.locks.and(.end), "[w] \(taken) @0.5 [-] fault(trap) end(fault,detail=trap)")
      let reason = kind == .conditionLock ? "conditionWaitUntilDistantFuture" : "lockBeforeDistantFuture"
      #expect(machine.faults.count == 1)
      #expect(machine.faults[0].hasPrefix("reason=\(reason) lock=m"))
      #expect(machine.simulation.endMessage.contains("a wait for 'm' until the distant future"))
      // On Apple's platforms they wait.
      #expect(simulate(.apple) { program }.faults.allSatisfy { $0.hasPrefix("thread=main waits=lock:m") })
    }
  }

  @Test("2.8 What is free at once, and a wait until a date, is as on Apple's platforms")
  func waitsWithDates() {
    simulate(.linux) {
      make(.conditionLock, "c", value: 1)
      make(.mutex, "m")
      lock("c")
      unlock("c")
      show(lock("c", when: 1))
      unlock("c")
      show(lock("m", before: .infinity))
      unlock("m")
      spawn("w") {
        lock("c")
        lock("m")
        sleep(until: 2)
        unlock("m")
        unlock("c")
      }
      sleep(until: 0.5)
      show(lock("c", when: 1, before: 1))
      lock("m")
    }.expect(
      .locks,
      """
      lock(c=1) unlock(c=1) lock(c=1) 'true' unlock(c=1) lock(m) 'true' unlock(m) [w] lock(c=1) lock(m)
      @0.5 [main] wait(c=1,w) @1 busy(c,w,timedOut) 'false' wait(m,w)
      @2 [w] unlock(m) [main] lock(m) [w] unlock(c=1)
      """)
  }

  @Test("2.8 The last timer of a mode is removed: no wake under apple, one for nothing at the old date under linux")
  func lastTimerRemoved() {
    for invalidates in [false, true] {
      for (profile, trace) in [
        (Profile.apple, "E BT BS BW @2 AW:timeout X =timedOut"),
        (.linux, "E BT BS BW @1 AW:timer BT BS BW @2 AW:timeout X =timedOut"),
      ] {
        simulate(profile) {
          timer("t", at: 1)
          spawn("w") {
            sleep(until: 0.5)
            if invalidates { invalidate("t") } else { remove("t", of: "main") }
          }
          run(2)
        }.expect(.passes, trace)
      }
    }
  }

  @Test("2.8 Under linux, too, the port is armed anew while another timer is left")
  func otherTimerLeft() {
    simulate(.linux) {
      timer("t", at: 1)
      timer("u", at: 1.5)
      spawn("w") {
        sleep(until: 0.5)
        remove("t", of: "main")
      }
      run(2)
    }.expect(.passes, "E BT BS BW @1.5 AW:timer u#1 BT BS BW @2 AW:timeout X =timedOut")
  }

  @Test("2.8 An interval of 0 with repeats asked for: 0.1 ms under apple, one-shot under linux")
  func intervalZero() {
    for (profile, trace) in [
      (Profile.apple, "@1 t#1 @1.0001 t#2 @1.0002 t#3 =stopped"), (.linux, "@1 t#1 @2 =timedOut"),
    ] {
      simulate(profile) {
        timer("t", at: 1, every: 0) { on(3) { stop() } }
        run(2)
      }.expect(.callouts, trace)
    }
  }

  @Test("2.8 The port queue: bounded under apple, not under linux; one message a pass on both")
  func portQueue() {
    simulate(.linux) {
      port("P", capacity: 2)
      times(4) { show(send("P", before: 0)) }
      run(1)
    }.expect(
      .passes,
      """
      'true' 'true' 'true' 'true' E BT BS BW AW:P P<m BT BS BW AW:P P<m BT BS BW AW:P P<m BT BS BW AW:P P<m
      BT BS BW @1 AW:timeout X =timedOut
      """)
    simulate {
      port("P", capacity: 2)
      times(4) { show(send("P", before: 0)) }
      run(1)
    }.expect(.callouts, "'true' 'true' P:full 'false' P:full 'false' P<m P<m @1 =timedOut")
  }

  @Test("2.8 A thread that ends under a waiting perform, a perform on a finished one: under linux as under apple")
  func performs() {
    for profile in [Profile.apple, .linux] {
      simulate(profile) {
        spawn("w") { sleep(until: 1) }
        perform("f", on: "w", wait: true)
        perform("g", on: "w")
        perform("h", on: "w", wait: true)
      }.expect(
        .callouts, "@1 [w] drop(f) [main] '!targetThreadExited' drop(g) drop(h) '!targetThreadHadExited'")
    }
  }

  @Test("2.8 A repeating interval that is positive but below one nanosecond ends the process at its first fire")
  func trap() {
    for profile in [Profile.apple, .linux] {
      let machine = simulate(profile) {
        timer("t", at: 1, every: 1e-10) { log("fired") }
        run(2)
        log("never")
      }
      machine.expect(.callouts.and(.end), "@1 t#1 'fired' [-] fault(trap) end(fault,detail=trap)")
      machine.expect(.fault)
    }
  }
}
