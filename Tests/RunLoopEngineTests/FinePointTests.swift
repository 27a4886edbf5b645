import RunLoopEngine
import Testing

@Suite("2.9 Fine points")
struct FinePointTests {
  @Test("2.9 Whether a run serves the main queue is settled when it starts")
  func mainQueueSettledAtStart() {
    simulate {
      source("K", in: "m")
      timer("t", at: 0.3, in: "m") {
        addCommonMode("m")
        async {}
      }
      run(1, in: "m")
      run(1, in: "m")
    }.expect(.callouts, "@0.3 t#1 @1 =timedOut queue @2 =timedOut")
  }

  @Test("2.9 An observer of afterWaiting removes the port that woke the loop: nothing is received, nothing is handled")
  func portRemovedAfterWaiting() {
    for invalidates in [false, true] {
      simulate {
        port("P")
        observer("o", .afterWaiting, repeats: false) {
          if invalidates { invalidate("P") } else { remove("P") }
        }
        spawn("w") {
          sleep(until: 0.5)
          send("P")
        }
        run(1, one: true)
      }.expect(.passes, "E BT BS BW @0.5 AW:P o/AW BT BS BW @1 AW:timeout X =timedOut")
    }
  }

  @Test("2.9 A wake-up sent in a timer callback is dropped; one sent while a run nested there waits wakes that run")
  func wakeUpOfNestedRun() {
    simulate {
      timer("t", at: 1) {
        wakeUp()
        run(1)
      }
      spawn("w") {
        sleep(until: 1.5)
        wakeUp("main")
      }
      run(3)
    }.expect(
      .passes,
      """
      E BT BS BW @1 AW:timer t#1 E BT BS BW @1.5 AW:wakeUp BT BS BW @2 AW:timeout X =timedOut
      BT BS BW @3 AW:timeout X =timedOut
      """)
  }

  @Test("2.9 An outer run's deadline that comes due during a nested run spends its one wake-up there")
  func outerDeadlineSpent() {
    simulate {
      source("K", in: "m")
      observer("o", .beforeWaiting) { on(1) { run(2, in: "m") } }
      spawn("w") {
        sleep(until: 5)
        wakeUp("main")
      }
      run(1)
    }.expect(
      .passes,
      "E BT BS BW o/BW E BT BS BW @1 AW:timeout BT BS BW @2 AW:timeout X =timedOut @5 AW:wakeUp X =timedOut")
  }

  @Test("2.9 If nothing ever wakes a run after its deadline was spent, it is a lostWakeup")
  func outerDeadlineLost() {
    let machine = simulate {
      source("K", in: "m")
      observer("o", .beforeWaiting) { on(1) { run(2, in: "m") } }
      run(1)
    }
    machine.expect(
      .passes.and(.end),
      "E BT BS BW o/BW E BT BS BW @1 AW:timeout BT BS BW @2 AW:timeout X =timedOut fault(lostWakeup) [-] end(fault)")
    machine.expect(.fault)
  }

  @Test("2.9 A nested run in a block sees only blocks queued since; kept ones stand before those afterwards")
  func blocksInNestedRun() {
    simulate {
      block {
        log("a")
        block(in: "m") { log("new") }
        run(0, in: "m")
        block(in: "m") { log("z") }
        block { log("b") }
      }
      block(in: "m") { log("x") }
      block(in: "m") { log("y") }
      run(0)
      run(0, in: "m")
    }.expect(.logs, "'a' 'new' 'b' 'x' 'y' 'z'")
  }

  @Test("2.9 isWaiting is true only in the wait itself, also in a nested run")
  func isWaitingInNestedRun() {
    simulate {
      timer("t", at: 1) {
        run(1)
        show(isWaiting())
      }
      spawn("w") {
        sleep(until: 1.5)
        show(isWaiting("main"))
      }
      run(3)
    }.expect(.logs, "@1.5 [w] 'true' @2 [main] 'false'")
  }

  @Test("2.9 default always exists; another mode exists once something was added to it or a block queued for it")
  func modesExist() {
    simulate {
      observer("o", .all, in: "a")
      block(in: "b") {}
      addCommonMode("c")
      source("S", in: nil)
      remove("S", from: "d")
      show(contains("S", in: "e"))
      run(0, in: "c")
      perform("f", on: "main", in: ["p"])
      timer("t", at: 1, in: "common")
      log { machine, thread in
        let names = machine.simulation.modes(of: machine.simulation.loop(of: thread))
        return names.map { machine.simulation.names[$0] }.joined(separator: ",")
      }
      run(0, in: "c")
    }.expect(.callouts, "'false' =finished 'default,a,b,p,c' =timedOut drop(f)")
  }

  @Test("2.9 The main loop does not die before the process: its sources get no cancel callbacks at the end")
  func mainSourcesNotCancelled() {
    simulate {
      source("S", cancel: { log("cancel") })
      log("end")
    }.expect(.logs.and(.sourceCancel), "'end'")
  }

  @Test("2.9 Several schedule callbacks: modes in order of creation, items in order of adding")
  func scheduleOrder() {
    simulate {
      observer("o", .all, in: "n")
      observer("p", .all, in: "m")
      addCommonMode("later")
      addCommonMode("m")
      addCommonMode("n")
      source("S", in: "common")
      source("T", in: "common")
      addCommonMode("q")
    }.expect(
      Show(kinds: [.sourceSchedule]),
      """
      +S/default +S/n +S/m +S/later +T/default +T/n +T/m +T/later +S/q +T/q
      """)
  }

  @Test("2.9 Several cancel callbacks: modes in order of creation, items in order of adding")
  func cancelOrder() {
    let common = simulate {
      observer("o", .all, in: "n")
      addCommonMode("m")
      addCommonMode("n")
      source("S", in: "common")
      source("T", in: "m")
      add("T", in: "n")
      add("T")
      remove("S", from: "common")
      invalidate("T")
    }
    common.expect(Show(kinds: [.sourceCancel]), "-S/default -S/n -S/m -T/default -T/n -T/m")
    simulate {
      spawn("w") {
        source("A", in: "m")
        source("B")
        source("C", in: "m")
        add("A")
        source("D", in: "n")
      }
      sleep(until: 1)
    }.expect(Show(kinds: [.sourceCancel]), "[w] -B/default -A/default -A/m -C/m -D/n")
  }

  @Test("2.9 setNextFireDate of the past keeps its tick in later grid points")
  func tickOfGrid() {
    simulate {
      timer("t", at: 1, every: 1) { on(1) { setNextFireDate("t", 0) } }
      timer("x", at: 1.5) { timer("u", at: 2) }
      run(2.5)
    }.expect(.callouts, "@1 t#1 t#2 @1.5 x#1 @2 u#1 t#3 @2.5 =timedOut")
  }

  @Test("2.9 setNextFireDate of the past from another thread: first the timer's port, then the wake-up")
  func pastDateFromThread() {
    simulate {
      timer("t", at: 9)
      spawn("w") {
        sleep(until: 1)
        setNextFireDate("t", 0)
      }
      run(2)
    }.expect(
      .passes, "E BT BS BW @1 AW:timer t#1 BT BS BW AW:wakeUp BT BS BW @2 AW:timeout X =timedOut")
  }

  @Test("2.9 A timer in no loop wakes nobody")
  func timerInNoLoop() {
    simulate {
      timer("t", at: 9)
      remove("t")
      spawn("w") {
        sleep(until: 1)
        setNextFireDate("t", 0)
      }
      run(2)
    }.expect(.passes, "E BT BS BW @2 AW:timeout X =timedOut")
  }

  @Test("2.9 Calls on the loop of a thread that has ended do nothing; the trace says so")
  func goneLoop() {
    simulate {
      source("S", in: nil, schedule: { log("schedule") })
      timer("t", at: 1, in: nil)
      spawn("w") { isWaiting() }
      sleep(until: 1)
      add("S", of: "w")
      add("t", of: "w")
      show(contains("S", of: "w"))
      remove("S", of: "w")
      addCommonMode("m", of: "w")
      block(of: "w") { log("block") }
      stop("w")
      wakeUp("w")
    }.expect(
      .callouts.and(.loopStop, .loopWakeUp),
      """
      @1 gone(w,addSource) gone(w,addTimer) 'false' gone(w,removeSource) gone(w,addCommonMode) gone(w,performBlock)
      stop(w,lost) wake(w,ignored)
      """)
  }

  @Test("2.9 A source without perform and a port without receive are still handled")
  func callbacksAreOptional() {
    simulate {
      source("S")
      port("P")
      signal("S")
      run(1, one: true)
      send("P")
      run(1, one: true)
    }.expect(.callouts, "S =handledSource P<m =handledSource")
  }

  // MARK: linux only

  @Test("2.9 linux: a timer's port stays armed after it fired in another mode: one wake for nothing there")
  func firedInOtherMode() {
    for (profile, nested) in [(Profile.apple, "BW"), (.linux, "BW AW:timer BT BS BW")] {
      simulate(profile) {
        source("K", in: "m")
        timer("t", at: 1) { run(0.5, in: "m") }
        add("t", in: "m")
        run(2)
      }.expect(
        .passes,
        """
        E BT BS BW @1 AW:timer t#1 E BT BS \(nested) @1.5 AW:timeout X =timedOut BT BS BW
        @2 AW:timeout X =timedOut
        """)
    }
  }

  @Test("2.9 linux: a one-shot's port in another mode stays armed after it fired")
  func oneShotFiredInOtherMode() {
    for (profile, first) in [(Profile.apple, "BW"), (.linux, "BW AW:timer BT BS BW")] {
      simulate(profile) {
        source("K", in: "m")
        timer("t", at: 1)
        add("t", in: "m")
        run(1.5)
        run(1, in: "m")
      }.expect(
        .passes,
        """
        E BT BS BW @1 AW:timer t#1 BT BS BW @1.5 AW:timeout X =timedOut
        E BT BS \(first) @2.5 AW:timeout X =timedOut
        """)
    }
  }

  @Test("2.9 linux: a port that is ready again keeps the old place of its entry; under apple it was taken out at once")
  func staleEntryKeepsPlace() {
    for (profile, order) in [(Profile.apple, "Q<m P<2"), (.linux, "P<2 Q<m")] {
      simulate(profile) {
        port("P")
        port("Q")
        add("P", in: "m")
        send("P", "1")
        send("Q")
        run(0, in: "m")
        send("P", "2")
        run(1)
      }.expect(.callouts, "P<1 =timedOut \(order) @1 =timedOut")
    }
  }
}
