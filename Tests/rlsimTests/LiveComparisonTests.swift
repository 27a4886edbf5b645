import RunLoopEngine
import Testing

@testable import rlsim

/// What `compare` makes of lines of traces.
@Suite struct LiveComparisonTests {
  private func compare(_ simulated: String, _ live: String, tolerance: Nanoseconds = 1000) -> LiveComparison {
    LiveComparison(TraceLine.read(Array(simulated.utf8)), TraceLine.read(Array(live.utf8)), tolerance: tolerance)
  }

  @Test func aTimeIsDigitsWithNineAfterThePoint() {
    #expect(TraceLine("12.000000001 main log x")?.time == 12_000_000_001)
    #expect(TraceLine("9223372036.854775807 main log x")?.time == .max)
    for text in [
      "9223372036.854775808", "99999999999.000000000", "-1.000000000", "1.-00000001", "1.00000000", ".000000001", "1",
      "1.2.000000000", "+1.000000000", "",
    ] {
      #expect(TraceLine("\(text) main log x") == nil, "\(text)")
    }
  }

  @Test func allTimesAreWithinAToleranceWithoutEnd() {
    let comparison = compare(
      "0.000000000 main log a\n", "9223372036.854775807 main log a\n", tolerance: .distantFuture)
    #expect(comparison.agrees)
  }

  @Test func timesAreShownAsInATrace() {
    let report = compare("0.000000000 main log a\n", "12.000000001 main log a\n").report
    #expect(report.contains("    12.000000001 log a\n"))
    #expect(report.contains("    0.000000000 log a\n"))
  }

  @Test func threadsThatATraceDoesNotTellApartAreNamed() {
    func report(_ first: String, _ second: String) -> String {
      compare(
        "0.000000000 w thread.start\n\(first)0.000000000 w log a\n\(second)",
        "0.000000000 w thread.start\n\(first)0.000000000 w log b\n\(second)"
      ).report
    }
    let sentence = "several threads are named w at once, and compared as one: give each a name of its own\n"
    #expect(report("0.000000000 w thread.start\n", "").hasSuffix(sentence))
    // One after the other they are not mixed up.
    let next = report("", "0.000000000 w thread.exit\n0.000000000 w thread.start\n")
    #expect(next.contains("the event 2 differs") && !next.contains(sentence))
  }
}
