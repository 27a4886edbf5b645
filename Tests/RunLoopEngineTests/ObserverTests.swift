import Testing

@testable import RunLoopEngine

@Suite("2.7 Observers")
struct ObserverTests {
  @Test("2.7 An observer is called for the activities it wants")
  func wantedActivities() {
    simulate {
      observer("a", [.beforeTimers, .afterWaiting])
      observer("b", .all)
      run(1)
    }.expect(
      .passes,
      "E b/E BT a/BT b/BT BS b/BS BW b/BW @1 AW:timeout a/AW b/AW X b/X =timedOut")
  }

  @Test("2.7 Observers of other modes are not called")
  func otherModes() {
    simulate {
      observer("a", .entry, in: "m")
      observer("b", .entry)
      run(0)
    }.expect(.callouts, "b/E =timedOut")
  }

  @Test("2.7 The observers are collected first, then each that is still valid is called")
  func collectedFirst() {
    simulate {
      observer("a", .entry) {
        on(1) {
          invalidate("b")
          remove("c")
          observer("d", .entry)
        }
      }
      observer("b", .entry)
      observer("c", .entry)
      run(0)
      run(0)
    }.expect(.callouts, "a/E c/E =timedOut a/E d/E =timedOut")
  }

  @Test("2.7 An observer already in a callback is not collected")
  func alreadyInCallback() {
    simulate {
      observer("a", [.entry, .exit]) { on(1) { run(0) } }
      observer("b", [.entry, .exit])
      run(0)
    }.expect(.callouts, "a/E b/E b/X =timedOut b/E a/X b/X =timedOut")
  }

  @Test("2.7 A non-repeating observer is invalidated after its first call")
  func nonRepeating() {
    let machine = simulate {
      observer("a", .all, repeats: false) {
        log { machine, _ in "\(machine.simulation.isValid(machine.item("a")))" }
      }
      run(0)
      log { machine, _ in "\(machine.simulation.isValid(machine.item("a")))" }
    }
    machine.expect(.callouts, "a/E 'true' =timedOut 'false'")
  }

  @Test("2.7 A non-repeating observer that an error left was called all the same")
  func nonRepeatingRaises() {
    simulate {
      observer("a", .entry, repeats: false) { raise() }
      protected { run(0) }
      log { machine, _ in "\(machine.simulation.isValid(machine.item("a")))" }
      run(0)
    }.expect(.callouts, "a/E =error 'false' =timedOut")
  }

  @Test("2.7 One added meanwhile joins at the next notification")
  func addedMeanwhile() {
    simulate {
      observer("a", .beforeTimers) { add("b") }
      observer("b", [.beforeTimers, .beforeSources], order: -1, in: nil)
      run(0)
    }.expect(.callouts, "a/BT b/BS =timedOut")
  }

  @Test("2.7 A collected observer is called even when a nested run in another's callback called it")
  func calledByNestedRun() {
    simulate {
      observer("a", .beforeTimers) { on(1) { run(0) } }
      observer("b", .beforeTimers)
      run(0)
    }.expect(.callouts, "a/BT b/BT =timedOut b/BT =timedOut")
  }
}
