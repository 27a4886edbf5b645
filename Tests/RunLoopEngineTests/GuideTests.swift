import RunLoopEngine
import Testing

@Suite("3 Profile guide")
struct GuideTests {
  @Test("3 A port that is ready before the sleep is served at once, with no sleep notifications")
  func readyPort() {
    simulate(.guide) {
      port("P")
      send("P")
      run(1)
    }.expect(.passes, "E BT BS P<m BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("3 That holds for every port and every thread")
  func readyPortOfThread() {
    simulate(.guide) {
      spawn("w") {
        port("P")
        port("Q")
        send("Q")
        send("P")
        run(1, one: true)
        run(1, one: true)
      }
      sleep(until: 2)
    }.expect(.passes, "[w] E BT BS Q<m X =handledSource E BT BS P<m X =handledSource")
  }

  @Test("3 After sources were performed the loop goes on to sleep, with its notifications, within the same pass")
  func sleepsAfterSources() {
    simulate(.guide) {
      source("S")
      signal("S")
      run(1)
    }.expect(.passes, "E BT BS S BW @1 AW:timeout X =timedOut")
  }

  @Test("3 After sources were performed a ready port is served in the same pass")
  func portAfterSources() {
    simulate(.guide) {
      source("S")
      port("P")
      send("P")
      signal("S")
      run(1)
    }.expect(.passes, "E BT BS S P<m BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("3 After a timer fired the loop starts over without a look at the stopped flag, seen at the next check")
  func stopInTimer() {
    simulate(.guide) {
      port("P")
      timer("t", at: 1) { stop() }
      spawn("w") {
        sleep(until: 2)
        send("P")
      }
      run(5)
    }.expect(.passes, "E BT BS BW @1 AW:timer t#1 BT BS BW @2 AW:P P<m X =stopped")
  }

  @Test("3 After an explicit wake-up the loop starts over without looking at the stopped flag")
  func stopByThread() {
    simulate(.guide) {
      port("P")
      spawn("w") {
        sleep(until: 1)
        stop("main")
        sleep(until: 2)
        send("P")
      }
      run(5)
    }.expect(.passes, "E BT BS BW @1 AW:stop BT BS BW @2 AW:P P<m X =stopped")
  }

  @Test("3 A timer that fires past the deadline ends the run all the same")
  func timerPastDeadline() {
    simulate(.guide) {
      timer("t", at: 0.5) { work(1) }
      run(1)
    }.expect(.passes, "E BT BS BW @0.5 AW:timer t#1 @1.5 X =timedOut")
  }

  @Test("3 After a port was served the run returns if asked to")
  func portServed() {
    simulate(.guide) {
      port("P")
      spawn("w") {
        sleep(until: 1)
        send("P")
      }
      run(5, one: true)
    }.expect(.passes, "E BT BS BW @1 AW:P P<m X =handledSource")
  }

  @Test("3 A poll has no sleep notifications")
  func poll() {
    simulate(.guide) { run(0) }.expect(.passes, "E BT BS X =timedOut")
  }

  @Test("3 A stop in a timer that nothing follows is a lostWakeup")
  func lostStop() {
    let machine = simulate(.guide) {
      timer("t", at: 1) { stop() }
      RunLoopEngineTests.run()
    }
    machine.expect(.callouts, "@1 t#1 fault(lostWakeup)")
    machine.expect(.fault)
  }
}
