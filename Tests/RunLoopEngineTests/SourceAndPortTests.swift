import RunLoopEngine
import Testing

@Suite("2.4 Sources and ports")
struct SourceAndPortTests {
  @Test("2.4 signal marks, and does not wake")
  func signalDoesNotWake() {
    simulate {
      source("S")
      spawn("w") {
        sleep(until: 0.5)
        signal("S")
      }
      run(1)
      show(isSignalled("S"))
      run(0)
    }.expect(.passes, "E BT BS BW @1 AW:timeout X =timedOut 'true' E BT BS S X =timedOut")
  }

  @Test("2.4 signal and wakeUp have the source performed at once")
  func signalAndWakeUp() {
    simulate {
      source("S")
      spawn("w") {
        sleep(until: 0.5)
        signal("S")
        wakeUp("main")
      }
      run(1)
    }.expect(.passes, "E BT BS BW @0.5 AW:wakeUp BT BS S BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.4 Several signals before the perform are one perform")
  func signalsAreOne() {
    simulate {
      source("S")
      times(3) { signal("S") }
      run(1)
    }.expect(.callouts, "S @1 =timedOut")
  }

  @Test("2.4 A signal made during its own perform leads to another pass")
  func signalInPerform() {
    simulate {
      source("S") { on(1, 2) { signal("S") } }
      signal("S")
      run(1)
    }.expect(.passes, "E BT BS S BT BS S BT BS S BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.4 Signalling an invalid source does nothing")
  func signalOfInvalid() {
    simulate {
      source("S")
      invalidate("S")
      signal("S")
      show(isSignalled("S"))
      run(0)
    }.expect(.callouts, "'false' =timedOut")
  }

  @Test("2.4 schedule is called when a source is added to a mode, on the thread that does it")
  func scheduleCallback() {
    simulate {
      source("S", in: nil, schedule: { log("schedule") })
      add("S")
      add("S", in: "m")
      spawn("w") { add("S", in: "n", of: "main") }
      sleep(until: 1)
    }.expect(
      .logs.and(.sourceSchedule), "+S/default 'schedule' +S/m 'schedule' [w] +S/n 'schedule'")
  }

  @Test("2.4 cancel is called when a source is removed or invalidated, on the thread that does it")
  func cancelCallback() {
    simulate {
      source("S", cancel: { log("cancel") })
      add("S", in: "m")
      add("S", in: "n")
      remove("S", from: "m")
      spawn("w") { invalidate("S") }
      sleep(until: 1)
    }.expect(
      .logs.and(.sourceCancel), "-S/m 'cancel' [w] -S/default 'cancel' -S/n 'cancel'")
  }

  @Test("2.4 Invalidating takes the signal away before the cancel callbacks, and a common item off the list after them")
  func invalidationInItsOrder() {
    let machine = simulate {
      addCommonMode("m")
      source(
        "S", in: "common", perform: { log("performed") },
        cancel: {
          show(isSignalled("S"))
          show(contains("S", in: "common"))
        })
      signal("S")
      show(isSignalled("S"))
      invalidate("S")
      show(isSignalled("S"))
      show(contains("S", in: "common"))
      signal("S")
      show(isSignalled("S"))
      source("K")
      run(0)
    }
    machine.expect(
      .callouts.and(.sourceCancel),
      """
      'true' -S/default 'false' 'true' -S/m 'false' 'true' 'false' 'false' 'false' =timedOut
      """)
  }

  @Test("2.4 A source in two loops leaves one after the other: it is a common item of the second one until the end")
  func invalidationInTwoLoops() {
    simulate {
      source(
        "S", in: "common",
        cancel: {
          show(contains("S", in: "common", of: "main"))
          show(contains("S", in: "common", of: "w"))
        })
      spawn("w") {
        add("S", in: "common")
        sleep(until: 2)
      }
      sleep(until: 1)
      invalidate("S")
      show(contains("S", in: "common", of: "w"))
    }.expect(
      .logs.and(.sourceCancel), "@1 -S/default 'true' 'true' -S/default 'false' 'true' 'false'")
  }

  @Test("2.4 A common item whose cancel callback fails is none any more")
  func invalidationWithAnError() {
    simulate {
      source("S", in: "common", cancel: { raise() })
      protected { invalidate("S") }
      show(contains("S", in: "common"))
    }.expect(.logs, "'false'")
  }

  @Test("2.4 An error in schedule or cancel leaves the source in all of its modes, or in none")
  func errorsInScheduleAndCancel() {
    simulate {
      source("S", in: nil, schedule: { raise() }, cancel: { raise() })
      addCommonMode("m")
      protected { add("S", in: "common") }
      run(0, in: "m")
      run(0)
      protected { invalidate("S") }
      run(0, in: "m")
      run(0)
    }.expect(
      .callouts.and(.sourceSchedule, .sourceCancel),
      "+S/default +S/m =timedOut =timedOut -S/default -S/m =timedOut =timedOut")
  }

  @Test("2.4 cancel is called when the source's thread ends, on that thread; the source stays valid and signalled")
  func cancelAtThreadEnd() {
    let machine = simulate {
      spawn("w") {
        source("S", cancel: { log("cancel") })
        signal("S")
      }
      sleep(until: 1)
      show(isSignalled("S"))
      add("S")
      run(0)
    }
    machine.expect(.callouts, "[w] 'cancel' @1 [main] 'true' S =timedOut")
    #expect(machine.simulation.isValid(machine.item("S")))
  }

  @Test("2.4 A source that is signalled before it is added is performed")
  func signalledBeforeAdded() {
    simulate {
      source("S", in: nil)
      signal("S")
      add("S")
      run(0)
    }.expect(.callouts, "S =timedOut")
  }

  @Test("2.4 A send to a full queue blocks until there is room")
  func sendBlocks() {
    simulate {
      port("P", capacity: 2)
      spawn("w") {
        for text in ["1", "2", "3", "4"] { show(send("P", text)) }
      }
      sleep(until: 1)
      run(1)
    }.expect(
      .callouts,
      """
      [w] 'true' 'true' P:full @1 [main] P<1 P<2 P<3 [w] 'true' 'true' [main] P<4 @2 =timedOut
      """)
  }

  @Test("2.4 A send to a full queue gives false when its date passes")
  func sendTimesOut() {
    simulate {
      port("P", capacity: 1)
      spawn("w") {
        show(send("P", "1"))
        show(send("P", "2", before: 1))
        show(send("P", "3", before: 0.5))
      }
      sleep(until: 2)
      run(1)
    }.expect(.callouts, "[w] 'true' P:full @1 'false' P:full 'false' @2 [main] P<1 @3 =timedOut")
  }

  @Test("2.4 Waiting senders get room in the order in which they came")
  func sendersInOrder() {
    simulate {
      port("P", capacity: 1)
      spawn("v") {
        send("P", "1")
        send("P", "2")
      }
      spawn("w") { send("P", "3") }
      sleep(until: 1)
      send("P", "4", before: 1)
      run(1)
    }.expect(Show(kinds: [.port, .runExit]), "@1 P<1 P<2 P<3 @2 =timedOut")
  }

  @Test("2.4 A port is bounded to 5 messages unless made otherwise; sending to an invalid one gives false")
  func capacity() {
    simulate {
      port("P")
      times(6) { show(send("P", before: 0)) }
      invalidate("P")
      show(send("P"))
    }.expect(.callouts, "'true' 'true' 'true' 'true' 'true' P:full 'false' 'false'")
  }

  @Test("2.4 Sending wakes a waiting loop")
  func sendWakes() {
    simulate {
      port("P")
      spawn("w") {
        sleep(until: 0.5)
        send("P")
      }
      run(1)
    }.expect(.passes, "E BT BS BW @0.5 AW:P P<m BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.4 Sending makes the port ready in every loop and mode that holds it; one takes the message")
  func portInSeveralLoops() {
    simulate {
      port("P")
      add("P", in: "m")
      spawn("v") {
        add("P")
        run(2)
      }
      spawn("w") {
        sleep(until: 0.5)
        send("P", "1")
        sleep(until: 0.6)
        send("P", "2")
        send("P", "3")
      }
      run(0.55, in: "m")
      work(10)
    }.expect(
      .passes,
      """
      E BT BS BW [v] E BT BS BW
      @0.5 [main] AW:P P<1 BT BS BW @0.55 AW:timeout X =timedOut
      @0.6 [v] AW:P P<2 BT BS BW AW:P P<3 BT BS BW @2 AW:timeout X =timedOut
      """)
  }

  @Test("2.4 A message queued before the port was added is received")
  func messageBeforeAdd() {
    simulate {
      port("P", in: nil)
      send("P")
      add("P")
      run(1)
    }.expect(.callouts, "P<m @1 =timedOut")
  }

  @Test("2.4 Messages are taken one a pass, in order")
  func messagesInOrder() {
    simulate {
      port("P")
      send("P", "1")
      send("P", "2")
      run(1)
    }.expect(
      .passes, "E BT BS BW AW:P P<1 BT BS BW AW:P P<2 BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.4 A nested run in another mode receives what was sent to a port in both")
  func portInNestedMode() {
    simulate {
      port("P")
      add("P", in: "m")
      timer("t", at: 1) {
        send("P")
        run(0.5, in: "m", one: true)
      }
      run(2)
    }.expect(
      .passes,
      "E BT BS BW @1 AW:timer t#1 E BT BS BW AW:P P<m X =handledSource BT BS BW @2 AW:timeout X =timedOut")
  }

  @Test("2.4 What the engine was given and no longer needs is released, once")
  func released() {
    let machine = simulate {
      source("S") { log("S") }
      port("P") { log("P") }
      timer("t", at: 1) { log("t") }
      observer("o", .entry, repeats: false) { log("o") }
      run(2)
      for name in ["S", "P", "t", "o"] {
        invalidate(name)
        invalidate(name)
      }
    }
    let values = machine.simulation.releasedValues.map(\.rawValue)
    #expect(!values.isEmpty)
    #expect(Set(values).count == values.count)
    #expect(!values.contains(0))
  }
}
