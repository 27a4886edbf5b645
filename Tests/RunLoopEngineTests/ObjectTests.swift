import Testing

@testable import RunLoopEngine

@Suite("2.1 Objects")
struct ObjectTests {
  @Test("2.1 A run loop belongs to one thread: another cannot run it")
  func loopOfOneThread() {
    simulate {
      spawn("w") { run(1, of: "main") }
      sleep(until: 1)
    }.expect(.callouts, "[w] '!notCurrentLoop'")
  }

  @Test("2.1 A run loop is made the first time it is asked for")
  func loopMadeLazily() {
    simulate {
      spawn("w") {
        log { machine, thread in machine.simulation.loop(of: thread).isNone ? "none" : "some" }
        isWaiting()
        log { machine, thread in machine.simulation.loop(of: thread).isNone ? "none" : "some" }
      }
      sleep(until: 1)
    }.expect(.logs, "[w] 'none' 'some'")
  }

  @Test("2.1 A run loop dies with its thread: its sources then get their cancel callbacks")
  func loopDiesWithThread() {
    simulate {
      spawn("w") {
        source("S", cancel: { log("cancel S") })
        source("T", cancel: { log("cancel T") })
      }
      sleep(until: 1)
      log { machine, _ in machine.simulation.loop(of: machine.thread("w")).isNone ? "none" : "some" }
    }.expect(
      .logs.and(.sourceCancel, .threadExit),
      "[w] -S/default 'cancel S' -T/default 'cancel T' exit @1 [main] 'none' exit")
  }

  @Test("2.1 A mode holds sources of version 0, sources of version 1, timers and observers")
  func modeHoldsItems() {
    simulate {
      source("S", in: "m")
      port("P", in: "m")
      timer("t", at: 9, in: "m")
      observer("o", .all, in: "m")
      for name in ["S", "P", "t", "o"] {
        show(contains(name, in: "m"))
        show(contains(name, in: "default"))
      }
    }.expect(.logs, "'true' 'false' 'true' 'false' 'true' 'false' 'true' 'false'")
  }

  @Test("2.1 Common is no mode but a label: it cannot be run, and what is added to it is in default")
  func commonIsLabel() {
    simulate {
      timer("t", at: 1, in: "common")
      run(2, in: "common")
      run(2)
    }.expect(.callouts, "=finished @1 t#1 @2 =timedOut")
  }

  @Test("2.1 Adding an item to common adds it to each mode in the set; a mode added later gets what is remembered")
  func commonItems() {
    simulate {
      addCommonMode("m")
      timer("t", at: 9, in: "common")
      observer("o", .all, in: "common")
      port("P", in: "common")
      source("S", in: "common")
      for name in ["t", "o", "P", "S"] {
        show(contains(name, in: "default"))
        show(contains(name, in: "m"))
        show(contains(name, in: "common"))
        show(contains(name, in: "n"))
      }
      log("-")
      addCommonMode("n")
      for name in ["t", "o", "P", "S"] { show(contains(name, in: "n")) }
    }.expect(
      .logs.and(.sourceSchedule),
      """
      +S/default +S/m
      'true' 'true' 'true' 'false' 'true' 'true' 'true' 'false'
      'true' 'true' 'true' 'false' 'true' 'true' 'true' 'false'
      '-' +S/n 'true' 'true' 'true' 'true'
      """)
  }

  @Test("2.1 Removing from common undoes both")
  func removalFromCommon() {
    simulate {
      addCommonMode("m")
      timer("t", at: 9, in: "common")
      observer("o", .all, in: "common")
      port("P", in: "common")
      source("S", in: "common", cancel: { log("cancel") })
      for name in ["t", "o", "P", "S"] { remove(name, from: "common") }
      addCommonMode("n")
      for name in ["t", "o", "P", "S"] {
        show(contains(name, in: "default"))
        show(contains(name, in: "m"))
        show(contains(name, in: "common"))
        show(contains(name, in: "n"))
      }
    }.expect(
      .logs,
      """
      'cancel' 'cancel'
      'false' 'false' 'false' 'false' 'false' 'false' 'false' 'false'
      'false' 'false' 'false' 'false' 'false' 'false' 'false' 'false'
      """)
  }

  @Test("2.1 On the main loop tracking, modalPanel and eventTracking are not common unless added")
  func mainModesNotCommon() {
    simulate {
      timer("t", at: 1, every: 1, in: "common")
      source("K", in: "tracking")
      run(1.5, in: "tracking")
      for mode in ["tracking", "modalPanel", "eventTracking"] { show(contains("t", in: mode)) }
      addCommonMode("tracking")
      run(1, in: "tracking")
    }.expect(
      .callouts, "@1.5 =timedOut 'false' 'false' 'false' t#1(late=0.5) @2 t#2 @2.5 =timedOut")
  }

  @Test("2.1 A timer and an observer belong to at most one loop: adding to a second is ignored")
  func oneLoopOnly() {
    simulate {
      timer("t", at: 1)
      observer("o", .entry)
      spawn("w") {
        add("t")
        add("o")
        show(contains("t"))
        show(contains("o"))
        run(2)
      }
      run(2)
    }.expect(.callouts, "o/E [w] 'false' 'false' =finished @1 [main] t#1 @2 =timedOut")
  }

  @Test("2.1 A timer that was removed everywhere belongs to no loop, and can be added to another")
  func timerChangesLoop() {
    simulate {
      timer("t", at: 1)
      observer("o", .entry)
      remove("t")
      remove("o")
      spawn("w") {
        add("t")
        add("o")
        run(2)
      }
      run(2)
    }.expect(.callouts, "[w] o/E @1 t#1 =finished @2 [main] =timedOut")
  }

  @Test("2.1 A source may be in several loops")
  func sourceInSeveralLoops() {
    simulate {
      source("S")
      spawn("w") {
        add("S")
        show(contains("S"))
        run(3)
      }
      sleep(until: 1)
      signal("S")
      run(1, one: true)
      signal("S")
      wakeUp("w")
      sleep(until: 2)
    }.expect(.callouts, "[w] 'true' @1 [main] S =handledSource [w] S")
  }

  @Test("2.1 An item is in a mode at most once")
  func itemOnce() {
    simulate {
      source("S") {
        log("performed")
      } schedule: {
        log("scheduled")
      }
      observer("o", .entry)
      timer("t", at: 1)
      port("P")
      for name in ["S", "o", "t", "P"] { add(name) }
      send("P")
      signal("S")
      run(2)
    }.expect(.callouts, "'scheduled' o/E S 'performed' P<m @1 t#1 @2 =timedOut")
  }

  @Test("2.1 Removing or invalidating something twice is harmless")
  func twiceIsHarmless() {
    simulate {
      source("S", cancel: { log("cancel") })
      source("R", cancel: { log("cancel") })
      port("P")
      timer("t", at: 1)
      observer("o", .all)
      for name in ["S", "P", "t", "o"] {
        remove(name)
        remove(name)
        invalidate(name)
        invalidate(name)
        remove(name, from: "common")
        remove(name, from: "nowhere")
      }
      invalidate("R")
      invalidate("R")
      remove("R")
      run(2)
    }.expect(.callouts, "'cancel' 'cancel' @2 =timedOut")
  }

  @Test("2.1 Observers are kept in ascending order, equal orders in order of insertion")
  func observerOrder() {
    simulate {
      observer("a", .entry, order: 2)
      observer("b", .entry, order: 1)
      observer("c", .entry, order: 2)
      observer("d", .entry, order: -1)
      observer("e", .entry, order: 1)
      run(0)
    }.expect(.callouts, "d/E b/E e/E a/E c/E =timedOut")
  }

  @Test("2.1 Timers are kept by fire instant, equal ones in order of insertion; a timer's order has no effect")
  func timerOrder() {
    simulate {
      timer("b", at: 1, order: 5)
      timer("a", at: 1, order: -5)
      timer("c", at: 0.5, order: 9)
      run(2)
    }.expect(.callouts, "@0.5 c#1 @1 b#1 a#1 @2 =timedOut")
  }

  @Test("2.1 Equal timers are kept in order of repositioning")
  func timerRepositioned() {
    simulate {
      timer("a", at: 1)
      timer("b", at: 1)
      timer("c", at: 3)
      setNextFireDate("a", 1)
      setNextFireDate("c", 1)
      run(2)
    }.expect(.callouts, "@1 b#1 a#1 c#1 @2 =timedOut")
  }

  @Test("2.1 A mode is empty when it has no source, no timer and no queued block for it; observers do not count")
  func emptyMode() {
    simulate {
      observer("o", .all, in: "m")
      run(0, in: "m")
      source("S", in: "m")
      run(0, in: "m", one: true)
      remove("S", from: "m")
      run(0, in: "m")
      port("P", in: "m")
      run(0, in: "m")
      remove("P", from: "m")
      timer("t", at: 9, in: "m")
      run(0, in: "m")
      remove("t", from: "m")
      run(0, in: "m")
      block(in: "m") {}
      run(0, in: "m")
      run(0, in: "m")
    }.expect(
      Show(kinds: [.runExit, .block]),
      "=finished =timedOut =finished =timedOut =timedOut =finished block/m =timedOut =finished")
  }

  @Test("2.1 On the main thread a mode in the common set is never empty")
  func mainNeverEmpty() {
    simulate {
      run(1)
      source("K", in: "m")
      remove("K", from: "m")
      run(1, in: "m")
      addCommonMode("m")
      run(1, in: "m")
      spawn("w") { run(1) }
      sleep(until: 3)
    }.expect(
      .passes,
      "E BT BS BW @1 AW:timeout X =timedOut =finished E BT BS BW @2 AW:timeout X =timedOut [w] =finished")
  }

  @Test("2.1 While a main-queue block is running, a common mode of the main thread can be empty")
  func mainEmptyInQueueBlock() {
    simulate {
      async { run(1) }
      run(1)
    }.expect(.callouts, "queue =finished @1 =timedOut")
  }
}
