import RunLoopEngine
import Testing

@Suite("2.6 stop, wakeUp, nesting")
struct StopTests {
  @Test("2.6 stop sets the stopped flag of the innermost activation and wakes the loop")
  func stopWakes() {
    simulate {
      spawn("w") {
        sleep(until: 0.5)
        stop("main")
      }
      run(1)
    }.expect(.passes.and(.loopStop), "E BT BS BW @0.5 [w] stop(main) [main] AW:stop X =stopped")
  }

  @Test("2.6 With no activation stop does nothing: a stop that comes before the run is lost")
  func stopIsLost() {
    simulate {
      stop()
      run(1)
    }.expect(.callouts.and(.loopStop), "stop(main,lost) @1 =timedOut")
  }

  @Test("2.6 A stop in a callback ends the run after it, and leaves no wake-up behind")
  func stopInCallback() {
    simulate {
      timer("t", at: 1) {
        stop()
        work(1)
      }
      run(5)
      run(0.5)
    }.expect(
      .passes, "E BT BS BW @1 AW:timer t#1 @2 X =stopped E BT BS BW @2.5 AW:timeout X =timedOut")
  }

  @Test("2.6 A stop before the wait ends the wait at once")
  func stopBeforeWait() {
    simulate {
      observer("o", .beforeWaiting) { stop() }
      run(2)
    }.expect(.passes, "E BT BS BW o/BW AW:stop X =stopped")
  }

  @Test("2.6 Two stops of a nested run end that one only")
  func stopEndsInnermost() {
    simulate {
      timer("t", at: 1) { run(5) }
      spawn("w") {
        sleep(until: 2)
        stop("main")
        stop("main")
      }
      run(4)
    }.expect(.callouts, "@1 t#1 @2 =stopped @4 =timedOut")
  }

  @Test("2.6 A stop by an exit observer of a nested run is for that run, and lost")
  func stopInExitObserver() {
    simulate {
      timer("t", at: 1) { run(1, in: "m") }
      source("K", in: "m")
      observer("o", .exit, in: "m") { stop() }
      run(4)
    }.expect(.callouts, "@1 t#1 @2 o/X =timedOut @4 =timedOut")
  }

  @Test("2.6 Runs nest in any callback")
  func nesting() {
    simulate {
      source("K", in: "m")
      source("S") {
        run(0, in: "m")
      } schedule: {
        run(0, in: "m")
      } cancel: {
        run(0, in: "m")
      }
      remove("S")
      add("S")
      signal("S")
      run(0)
      log("-")
      observer("o", [.entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit]) {
        run(0, in: "m")
      }
      timer("t", at: 1) { run(0, in: "m") }
      run(1)
      remove("o")
      log("-")
      port("P") { run(0, in: "m") }
      send("P")
      run(0)
      block { run(0, in: "m") }
      run(0)
      async { run(0, in: "m") }
      run(0)
      perform("f", on: "main") { run(0, in: "m") }
      run(0)
      perform("g", on: "main", wait: true) { run(0, in: "m") }
      timer("u", at: 9) { run(0, in: "m") }
      fire("u")
    }.expect(
      .callouts,
      """
      =timedOut =timedOut =timedOut S =timedOut =timedOut '-'
      o/E =timedOut o/BT =timedOut o/BS =timedOut o/BW =timedOut
      @1 o/AW =timedOut t#1 =timedOut o/X =timedOut =timedOut '-'
      P<m =timedOut =timedOut block =timedOut =timedOut queue =timedOut =timedOut f() =timedOut =timedOut
      g() =timedOut u#1 =timedOut
      """)
  }

  @Test("2.6 A nested run has its own deadline")
  func nestedDeadline() {
    simulate {
      timer("t", at: 1) { run(3) }
      run(2)
    }.expect(
      .passes, "E BT BS BW @1 AW:timer t#1 E BT BS BW @2 AW:timeout BT BS BW @4 AW:timeout X =timedOut X =timedOut")
  }

  @Test("2.6 Observers whose callback is active are not notified again by a nested run")
  func activeObserver() {
    simulate {
      observer("o", .beforeSources) { on(1) { run(0) } }
      observer("p", .beforeSources)
      run(0)
    }.expect(.passes, "E BT BS o/BS E BT BS p/BS X =timedOut p/BS X =timedOut")
  }

  @Test("2.6 Firing timers are skipped by a nested run")
  func firingTimer() {
    simulate {
      timer("t", at: 1, every: 1) { on(1) { run(2.5) } }
      run(3)
    }.expect(.callouts, "@1 t#1 @3.5 =timedOut =timedOut")
  }

  // MARK: run, runMode, runUntil, runForever

  @Test("2.6 run() repeats runInMode(default) until stopped")
  func runUntilStopped() {
    simulate {
      source("S")
      timer("t", at: 1, every: 1) {
        on(1) { signal("S") }
        on(2) { stop() }
      }
      show(RunLoopEngineTests.run())
    }.expect(.callouts, "@1 t#1 S @2 t#2 =stopped 'stopped'")
  }

  @Test("2.6 run() repeats runInMode(default) until finished")
  func runUntilFinished() {
    simulate {
      spawn("w") {
        timer("t", at: 1)
        show(RunLoopEngineTests.run())
        show(RunLoopEngineTests.run())
      }
      sleep(until: 2)
    }.expect(.callouts, "@1 [w] t#1 =finished 'finished' =finished 'finished'")
  }

  @Test("2.6 runMode gives false for an empty mode, without a run")
  func runModeEmpty() {
    simulate {
      show(runMode("nowhere", before: 1))
      show(runMode("common", before: 1))
      observer("o", .all, in: "m")
      show(runMode("m", before: 1))
    }.expect(.callouts.and(.runEnter), "'false' 'false' 'false'")
  }

  @Test("2.6 runMode is one run until the date that returns after a source, and true")
  func runModeOnce() {
    simulate {
      source("S")
      timer("t", at: 1) { signal("S") }
      show(runMode(before: 0.5))
      show(runMode(before: 2))
      show(runMode(before: 0.5))
    }.expect(.callouts, "@0.5 =timedOut 'true' @1 t#1 S =handledSource 'true' =timedOut 'true'")
  }

  @Test("2.6 runUntil runs again and again while runMode gives true and the date is ahead; stop ends an inner run")
  func runUntilDate() {
    simulate {
      source("S")
      timer("t", at: 1) { signal("S") }
      timer("u", at: 1.5) { stop() }
      runUntil(2)
      log("after")
      runUntil(2)
      log("after")
    }.expect(.callouts, "@1 t#1 S =handledSource @1.5 u#1 =stopped @2 =timedOut 'after' =timedOut 'after'")
  }

  @Test("2.6 runUntil ends at once when the mode is empty")
  func runUntilEmpty() {
    simulate {
      spawn("w") {
        timer("t", at: 1)
        runUntil(5)
        log("after")
      }
      sleep(until: 6)
    }.expect(.callouts, "@1 [w] t#1 =finished 'after'")
  }

  @Test("2.6 runForever runs while runMode gives true; stop only ends the inner run")
  func runForeverGoesOn() {
    simulate {
      spawn("w") {
        source("K")
        timer("t", at: 1) { stop() }
        timer("u", at: 2) { invalidate("K") }
        runForever()
        log("after")
      }
      sleep(until: 6)
    }.expect(.callouts, "@1 [w] t#1 =stopped @2 u#1 =finished 'after'")
  }

  @Test("2.6 acceptInput is one run that returns after a source")
  func acceptInputOnce() {
    simulate {
      source("S")
      signal("S")
      acceptInput(before: 1)
      acceptInput(before: 1)
      acceptInput("nowhere", before: 1)
    }.expect(.callouts, "S =handledSource @1 =timedOut =finished")
  }

  @Test("2.6 limitDate polls, then gives the date of the mode's next timer")
  func limitDates() {
    simulate {
      show(limitDate("m"))
      source("K", in: "m")
      show(limitDate("m"))
      timer("t", at: 1, every: 2, in: "m")
      show(limitDate("m"))
      work(1)
      show(limitDate("m"))
    }.expect(.callouts, "=finished 'none' =timedOut 'future' =timedOut '1' @1 t#1 =timedOut '3'")
  }
}
