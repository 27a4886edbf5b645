import Testing

@testable import rlsim

@Suite struct LongExplorationTests {
  @Test func itIsToldOnceAfterAMinute() {
    var long = LongExploration(now: 100, isSilent: true)
    #expect(long.sentence(now: 159.9, schedules: 5, findings: 0) == nil)
    #expect(
      long.sentence(now: 160, schedules: 12, findings: 1)
        == "still exploring after 60 seconds (12 schedules, 1 finding so far); nothing bounds it: --max-seconds S ends it "
        + "after S seconds, and says how far it came")
    #expect(long.sentence(now: 300, schedules: 13, findings: 1) == nil)
  }

  @Test func nothingIsSaidWhereProgressIsShownOrABoundWasGiven() {
    var long = LongExploration(now: 0, isSilent: false)
    #expect(long.sentence(now: 1000, schedules: 1, findings: 0) == nil)
  }
}
