import RunLoopEngine
import Testing

/// Where the order of things comes from how `__CFRunLoopRun` takes its live port: the wait reads the port, and what the
/// port stands for is served later in the pass, with the afterWaiting observers in between.
@Suite("2.2 The main queue's port")
struct MainQueueTests {
  private static let profiles = [Profile.apple, .linux]

  @Test("2.2 The wake takes the readiness: a run nested in afterWaiting does not serve the queue, the outer one does")
  func wakeConsumesReadiness() {
    for profile in Self.profiles {
      simulate(profile) {
        observer("o", .afterWaiting, repeats: false) { run(0.5) }
        spawn("w") {
          sleep(until: 1)
          async { log("a") }
        }
        run(2)
      }.expect(
        .passes,
        """
        E BT BS BW @1 AW:mainQueue o/AW E BT BS BW @1.5 AW:timeout X =timedOut queue 'a' BT BS BW
        @2 AW:timeout X =timedOut
        """)
    }
  }

  @Test("2.8 A block that joins others makes the port ready anew under linux only: there a nested run serves them")
  func joiningBlock() {
    for (profile, rest) in [
      (
        Profile.apple,
        """
        E BT BS BW @1.5 AW:timeout X =timedOut queue 'a' queue 'b' BT BS BW
        """
      ),
      (
        .linux,
        """
        E BT BS BW AW:mainQueue queue 'a' queue 'b' BT BS BW @1.5 AW:timeout X =timedOut BT BS BW
        """
      ),
    ] {
      simulate(profile) {
        observer("o", .afterWaiting, repeats: false) {
          async { log("b") }
          run(0.5)
        }
        spawn("w") {
          sleep(until: 1)
          async { log("a") }
        }
        run(2)
      }.expect(.passes, "E BT BS BW @1 AW:mainQueue o/AW \(rest) @2 AW:timeout X =timedOut")
    }
  }

  @Test("2.2 A block queued by one that runs is the first of an empty queue again, and wakes the next pass")
  func servedQueueBecomesReadyAgain() {
    for profile in Self.profiles {
      simulate(profile) {
        async {
          log("a")
          async { log("b") }
        }
        run(1)
      }.expect(
        .passes,
        "E BT BS BW AW:mainQueue queue 'a' BT BS BW AW:mainQueue queue 'b' BT BS BW @1 AW:timeout X =timedOut")
    }
  }

  @Test("2.2 The look before sleeping (step 8) takes the readiness, too: no second wake for the same blocks")
  func lookConsumesReadiness() {
    simulate {
      source("K")
      timer("t", at: 0.5) { async { log("a") } }
      run(1)
    }.expect(
      .passes, "E BT BS BW @0.5 AW:timer t#1 BT BS queue 'a' BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.8 linux: the timer behind a delayed block wakes the queue once more, which counts as a handled source")
  func delayedBlockWakesTwice() {
    for (profile, extra) in [(Profile.apple, ""), (.linux, "AW:mainQueue BT BS BW ")] {
      simulate(profile) {
        after(0.5) { log("a") }
        run(1)
      }.expect(
        .passes, "E BT BS BW @0.5 AW:mainQueue queue 'a' BT BS BW \(extra)@1 AW:timeout X =timedOut")
    }
    for (profile, second) in [
      (Profile.apple, "@1.5 AW:timeout X =timedOut"), (.linux, "AW:mainQueue X =handledSource"),
    ] {
      simulate(profile) {
        after(0.5) { log("a") }
        run(1, one: true)
        run(1, one: true)
      }.expect(.passes, "E BT BS BW @0.5 AW:mainQueue queue 'a' X =handledSource E BT BS BW \(second)")
    }
  }

  @Test("2.8 linux: a delayed block that is due at once is an ordinary one, and wakes once")
  func blockWithoutDelayWakesOnce() {
    simulate(.linux) {
      after(0) { log("a") }
      run(1)
    }.expect(.passes, "E BT BS BW AW:mainQueue queue 'a' BT BS BW @1 AW:timeout X =timedOut")
  }
}
