import Testing

@testable import RunLoopEngine

@Suite("2.3 Timers")
struct TimerTests {
  @Test("2.3 The timer port is ready at the earliest fire instant")
  func earliestTimer() {
    simulate {
      timer("b", at: 2)
      timer("a", at: 1)
      run(3)
    }.expect(.passes, "E BT BS BW @1 AW:timer a#1 BT BS BW @2 AW:timer b#1 BT BS BW @3 AW:timeout X =timedOut")
  }

  @Test("2.3 While its callback runs a timer is firing: it does not count for the port, and nested runs skip it")
  func firingTimerIsSkipped() {
    simulate {
      timer("t", at: 1, every: 1) { on(1) { run(3.2) } }
      timer("u", at: 1.5, every: 1)
      run(6.2)
    }.expect(
      .callouts,
      """
      @1 t#1 @1.5 u#1 @2.5 u#2 @3.5 u#3 @4.2 =timedOut @4.5 u#4 @5 t#2(missed=3) @5.5 u#5 @6 t#3 @6.2 =timedOut
      """)
  }

  @Test("2.3 With tolerances the port is ready at the hard deadline, and all timers due by then fire in one wake")
  func toleranceWindow() {
    simulate {
      timer("a", at: 1, tolerance: 0.4)
      timer("b", at: 1.3, tolerance: 0.05)
      timer("c", at: 1.6)
      run(2)
    }.expect(
      .passes,
      """
      E BT BS BW @1.35 AW:timer a#1(late=0.35) b#1(late=0.05) BT BS BW @1.6 AW:timer c#1 BT BS BW
      @2 AW:timeout X =timedOut
      """)
  }

  @Test("2.3 The hard deadline is the earliest among the timers before it")
  func hardDeadline() {
    simulate {
      timer("a", at: 1, tolerance: 0.2)
      timer("b", at: 1.3)
      run(2)
    }.expect(.callouts, "@1.2 a#1(late=0.2) @1.3 b#1 @2 =timedOut")
    simulate {
      timer("a", at: 1, tolerance: 0.9)
      timer("b", at: 1.3)
      run(2)
    }.expect(.callouts, "@1.3 a#1(late=0.3) b#1 @2 =timedOut")
  }

  @Test("2.3 Tolerance is capped at half the interval of a repeating timer, and 0 by default")
  func toleranceCap() {
    let machine = simulate {
      timer("t", at: 1, every: 1, tolerance: 0.9)
      timer("u", at: 9)
      timer("v", at: 9, tolerance: 0.9)
      run(3)
      setTolerance("u", 5)
      setTolerance("t", 0.25)
    }
    machine.expect(.callouts, "@1.5 t#1(late=0.5) @2.5 t#2(late=0.5) @3 =timedOut")
    #expect(machine.simulation.tolerance(machine.timer("t")) == 250_000_000)
    #expect(machine.simulation.tolerance(machine.timer("u")) == 5_000_000_000)
    #expect(machine.simulation.tolerance(machine.timer("v")) == 900_000_000)
  }

  @Test("2.3 A collected timer fires only if it is still valid")
  func invalidatedInBatch() {
    simulate {
      timer("x", at: 0.5) { work(1) }
      timer("a", at: 1) { invalidate("b") }
      timer("b", at: 1.1)
      run(2)
    }.expect(.callouts, "@0.5 x#1 @1.5 a#1(late=0.5) @2 =timedOut")
  }

  @Test("2.3 A collected timer fires only if it is still in this loop")
  func removedInBatch() {
    simulate {
      timer("x", at: 0.5) { work(1) }
      timer("a", at: 1) { remove("b") }
      timer("b", at: 1.1)
      run(2)
    }.expect(.callouts, "@0.5 x#1 @1.5 a#1(late=0.5) @2 =timedOut")
  }

  @Test("2.3 A collected timer that was only removed from one of its modes is still in the loop, and fires")
  func removedFromOneMode() {
    simulate {
      timer("x", at: 0.5) { work(1) }
      timer("a", at: 1) { remove("b") }
      timer("b", at: 1.1)
      add("b", in: "m")
      run(2)
    }.expect(.callouts, "@0.5 x#1 @1.5 a#1(late=0.5) b#1(late=0.4) @2 =timedOut")
  }

  @Test("2.3 A collected timer fires only if it is still due")
  func postponedInBatch() {
    simulate {
      timer("x", at: 0.5) { work(1) }
      timer("a", at: 1) { setNextFireDate("b", 1.8) }
      timer("b", at: 1.1)
      run(2)
    }.expect(.callouts, "@0.5 x#1 @1.5 a#1(late=0.5) @1.8 b#1 @2 =timedOut")
  }

  @Test("2.3 A collected timer that a nested run has fired does not fire again")
  func firedByNestedRun() {
    simulate {
      timer("a", at: 1) { run(0.3) }
      timer("b", at: 1.05, every: 10)
      work(2)
      run(3)
    }.expect(.callouts, "@2 a#1(late=1) b#1(late=0.95) @2.3 =timedOut @5 =timedOut")
  }

  @Test("2.3 A timer that is firing already is not fired by a nested run in another of its modes")
  func alreadyFiring() {
    simulate {
      timer("t", at: 1, every: 0.5) { on(1) { run(2, in: "m") } }
      add("t", in: "m")
      timer("u", at: 1.2, in: "m")
      run(4)
    }.expect(.callouts, "@1 t#1 @1.2 u#1 @3 =timedOut @3.5 t#2(missed=4) @4 t#3 =timedOut")
  }

  @Test("2.3 A source of a collected batch is called even if it was removed meanwhile, unless it was invalidated")
  func sourceOfBatch() {
    simulate {
      source("a", order: 0) {
        remove("b")
        invalidate("c")
      }
      source("b", order: 1)
      source("c", order: 2)
      for name in ["a", "b", "c"] { signal(name) }
      run(0)
    }.expect(.callouts, "a b =timedOut")
  }

  @Test("2.3 An observer of a collected batch is called even if it was removed meanwhile, unless it was invalidated")
  func observerOfBatch() {
    simulate {
      observer("a", .entry, order: 0) {
        remove("b")
        invalidate("c")
      }
      observer("b", .entry, order: 1)
      observer("c", .entry, order: 2)
      run(0)
      run(0)
    }.expect(.callouts, "a/E b/E =timedOut a/E =timedOut")
  }

  @Test("2.3 A one-shot is invalidated after its callback")
  func oneShot() {
    simulate {
      timer("t", at: 1) { log { machine, _ in "\(machine.simulation.isValid(machine.item("t")))" } }
      run(2)
      log { machine, _ in "\(machine.simulation.isValid(machine.item("t")))" }
    }.expect(.callouts, "@1 t#1 'true' @2 =timedOut 'false'")
  }

  @Test("2.3 A date set in a one-shot's own callback has no effect")
  func oneShotIsNotRearmed() {
    simulate {
      timer("t", at: 1, in: "m") { setNextFireDate("t", 2) }
      run(4, in: "m")
    }.expect(.callouts, "@1 t#1 =finished")
  }

  @Test("2.3 An interval below 0 is a one-shot's, where the Foundation layer does not make it 0.1 ms")
  func negativeInterval() {
    let machine = simulate(.linux) {
      timer("t", at: 1, every: -2, in: "m")
      run(4, in: "m")
    }
    machine.expect(.callouts, "@1 t#1 =finished")
    #expect(machine.simulation.interval(machine.timer("t")) == 0)
    #expect(!machine.simulation.doesRepeat(machine.timer("t")))
  }

  @Test("2.3 A date set during the callback, later than the one fired for, is kept; the grid begins anew there")
  func dateSetInCallback() {
    simulate {
      timer("t", at: 1, every: 1) { on(1) { setNextFireDate("t", 3.5) } }
      run(5)
    }.expect(.callouts, "@1 t#1 @3.5 t#2 @4.5 t#3 @5 =timedOut")
    simulate {
      timer("t", at: 1, every: 10) { on(1) { setNextFireDate("t", 1.5) } }
      run(12)
    }.expect(.callouts, "@1 t#1 @1.5 t#2 @11.5 t#3 @12 =timedOut")
  }

  @Test("2.3 A past date set during the callback means now, which is later than the one fired for: it is kept")
  func pastDateSetInCallback() {
    simulate {
      timer("t", at: 1, every: 1) { on(1) { setNextFireDate("t", 0.5) } }
      run(2.5)
    }.expect(
      .passes,
      "E BT BS BW @1 AW:timer t#1 BT BS BW AW:timer t#2 BT BS BW @2 AW:timer t#3 BT BS BW @2.5 AW:timeout X =timedOut")
  }

  @Test("2.3 Otherwise the next instant is the first point of the original grid after now")
  func gridAfterSlowCallback() {
    simulate {
      timer("t", at: 1, every: 1) { on(1) { work(3.5) } }
      run(6.5)
    }.expect(.callouts, "@1 t#1 @5 t#2(missed=3) @6 t#3 @6.5 =timedOut")
  }

  @Test("2.3 A callback that ends on a point of the grid has passed it")
  func gridPointAtEndOfCallback() {
    simulate {
      timer("t", at: 1, every: 1) { on(1) { work(2) } }
      run(4.5)
    }.expect(.callouts, "@1 t#1 @4 t#2(missed=2) @4.5 =timedOut")
  }

  @Test("2.3 Points passed over are missed: coalesced into the one late fire, counted, never made up")
  func missedPoints() {
    let machine = simulate {
      timer("t", at: 0.1, every: 0.1)
      timer("x", at: 0.15) { work(0.3) }
      run(0.65)
    }
    machine.expect(
      .callouts, "@0.1 t#1 @0.15 x#1 @0.45 t#2(late=0.25,missed=2) @0.5 t#3 @0.6 t#4 @0.65 =timedOut")
    #expect(machine.simulation.missedCount(machine.timer("t")) == 2)
    #expect(machine.simulation.fireCount(machine.timer("t")) == 4)
  }

  /// Nobody waits for so many fires: it stands shortly before what 32 bits hold.
  @Test("2.3 Fires are counted, however many")
  func moreFiresThanThirtyTwoBits() {
    let machine = simulate {
      timer("t", at: 0.1, every: 0.1)
      Instruction { machine, _ in
        machine.simulation.own.pointee.places.timers[machine.timer("t").index].fireCount = .max - 1
        return .next
      }
      run(0.35)
    }
    machine.expect(.callouts, "@0.1 t#4294967295 @0.2 t#4294967296 @0.3 t#4294967297 @0.35 =timedOut")
    #expect(machine.simulation.fireCount(machine.timer("t")) == 4_294_967_297)
  }

  @Test("2.3 Delays never shift the grid")
  func delaysDoNotShift() {
    simulate {
      timer("t", at: 1, every: 1) { work(0.3) }
      timer("x", at: 1.9) { work(0.3) }
      run(4.5)
    }.expect(.callouts, "@1 t#1 @1.9 x#1 @2.2 t#2(late=0.2) @3 t#3 @4 t#4 @4.5 =timedOut")
  }

  @Test("2.3 A first date in the past means now, and the grid begins there")
  func pastFirstDate() {
    simulate {
      sleep(until: 1)
      timer("t", at: -5.5, every: 2)
      log { machine, _ in secondsWord(machine.simulation.nextFireDate(machine.timer("t"))) }
      sleep(until: 1.5)
      run(4)
    }.expect(.callouts, "@1 '-5.5' @1.5 t#1(late=0.5) @3 t#2 @5 t#3 @5.5 =timedOut")
  }

  @Test("2.3 setNextFireDate of the past means now")
  func setNextFireDateOfPast() {
    simulate {
      timer("t", at: 9, every: 10)
      timer("x", at: 0.5) { setNextFireDate("t", 0) }
      run(1)
    }.expect(.passes, "E BT BS BW @0.5 AW:timer x#1 BT BS BW AW:timer t#1 BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.3 setNextFireDate from another thread also wakes the loop")
  func setNextFireDateFromThread() {
    simulate {
      timer("t", at: 50)
      spawn("w") {
        sleep(until: 1)
        setNextFireDate("t", 2)
      }
      run(3)
    }.expect(
      .passes, "E BT BS BW @1 AW:wakeUp BT BS BW @2 AW:timer t#1 BT BS BW @3 AW:timeout X =timedOut")
  }

  @Test("2.3 A timer that is added re-arms the timer port at once, even while the loop sleeps")
  func timerAddedWhileAsleep() {
    simulate {
      timer("t", at: 2.5)
      spawn("w") {
        sleep(until: 1)
        timer("u", at: 2, in: nil)
        add("u", of: "main")
        timer("v", at: 0.5, in: nil)
        add("v", of: "main")
      }
      run(3)
    }.expect(
      .passes,
      """
      E BT BS BW @1 AW:timer v#1 BT BS BW @2 AW:timer u#1 BT BS BW @2.5 AW:timer t#1 BT BS BW
      @3 AW:timeout X =timedOut
      """)
  }

  @Test("2.3 Removing the next timer while the loop sleeps arms the port for the one after")
  func timerRemovedWhileAsleep() {
    simulate {
      timer("t", at: 1)
      timer("u", at: 2)
      spawn("w") {
        sleep(until: 0.5)
        remove("t", of: "main")
      }
      run(3)
    }.expect(.passes, "E BT BS BW @2 AW:timer u#1 BT BS BW @3 AW:timeout X =timedOut")
  }

  @Test("2.3 A timer removed and added again while overdue fires at once, then on its grid")
  func timerAddedAgain() {
    simulate {
      timer("t", at: 1, every: 1)
      remove("t")
      work(3.4)
      add("t")
      run(2)
    }.expect(.callouts, "@3.4 t#1(late=2.4,missed=2) @4 t#2 @5 t#3 @5.4 =timedOut")
  }

  @Test("2.3 A timer in several modes is moved in all of them by a fire")
  func timerInTwoModes() {
    simulate {
      timer("t", at: 1, every: 1)
      add("t", in: "m")
      run(1.5)
      run(1, in: "m")
      run(1)
    }.expect(.callouts, "@1 t#1 @1.5 =timedOut @2 t#2 @2.5 =timedOut @3 t#3 @3.5 =timedOut")
  }

  @Test("2.3 A timer that is fired by hand keeps its schedule; a one-shot is done")
  func firedByHand() {
    simulate {
      timer("t", at: 1, every: 1)
      timer("o", at: 1)
      fire("t")
      fire("o")
      fire("o")
      run(1.5)
    }.expect(.callouts, "t#1 o#1 @1 t#2 @1.5 =timedOut")
  }

  @Test("2.3 The next timer's date of a mode is that of its first timer")
  func nextDateOfMode() {
    simulate {
      show(nextTimerFireDate())
      timer("t", at: 3)
      timer("u", at: 2)
      show(nextTimerFireDate())
      remove("u")
      show(nextTimerFireDate())
    }.expect(.logs, "'none' '2' '3'")
  }
}
