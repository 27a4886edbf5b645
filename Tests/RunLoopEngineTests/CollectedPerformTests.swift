import RunLoopEngine
import Testing

/// `__CFRunLoopDoSources0` collects the signalled sources first; its result is whether the last one that it tried was
/// still signalled.
@Suite("2.2 Performs that a nested run has carried out")
struct CollectedPerformTests {
  @Test("2.2 Collected requests that a nested run has carried out leave the pass not handled: it goes on to sleep")
  func lastOneGone() {
    simulate {
      source("S", order: -1) { run(0) }
      perform("f", on: "main")
      signal("S")
      run(1)
    }.expect(.passes, "E BT BS S E BT BS f() X =timedOut BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2 A source after them that is performed makes the pass handled again: it polls, and a second pass sleeps")
  func laterOnePerformed() {
    simulate {
      source("S", order: -1) {
        remove("T")
        run(0)
      }
      source("T", order: 1)
      perform("f", on: "main")
      signal("S")
      signal("T")
      run(1)
    }.expect(.passes, "E BT BS S E BT BS f() X =timedOut T BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.5 Requests for a mode that is not run keep the source signalled: later ones come early")
  func otherModeKeepsSignal() {
    simulate {
      source("S")
      perform("f", on: "main", in: ["m"])
      signal("S")
      perform("g", on: "main")
      run(0)
      run(0, in: "m")
    }.expect(.callouts, "g() S =timedOut f() =timedOut")
  }

  @Test("2.5 A perform that leaves requests for other modes signals the source anew, after what was signalled before")
  func restSignalsAnew() {
    simulate {
      source("S", in: "m")
      perform("f", on: "main", in: ["m"])
      perform("g", on: "main") { signal("S") }
      run(0)
      run(0, in: "m")
    }.expect(.callouts, "g() =timedOut f() S =timedOut")
    simulate {
      source("S", in: "m")
      perform("f", on: "main", in: ["m"])
      perform("g", on: "main")
      signal("S")
      run(0)
      run(0, in: "m")
    }.expect(.callouts, "g() =timedOut S f() =timedOut")
  }

  @Test("2.5 A request for the common modes makes those that nothing was added to, also one declared afterwards")
  func commonModesAreMade() {
    for declaresLater in [false, true] {
      simulate {
        spawn("w") {
          if !declaresLater { addCommonMode("m") }
          run(1, in: "m")
          sleep(until: 1)
          if declaresLater { addCommonMode("m") }
          run(1, in: "m", one: true)
        }
        sleep(until: 0.5)
        perform("f", on: "w")
        sleep(until: 2)
      }.expect(.callouts, "[w] =finished @1 f(main) =handledSource")
    }
  }
}
