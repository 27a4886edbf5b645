import RunLoopEngine
import Testing

@Suite("Smoke")
struct SmokeTests {
  @Test("a timer")
  func timerFires() {
    simulate {
      timer("t", at: 1, every: 1) { log("tick") }
      run(2.5)
    }.expect(
      .passes,
      "E BT BS BW @1 AW:timer t#1 'tick' BT BS BW @2 AW:timer t#2 'tick' BT BS BW @2.5 AW:timeout X =timedOut")
  }
}
