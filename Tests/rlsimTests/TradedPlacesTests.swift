import Foundation
import Testing

@testable import rlsim

/// Why two live runs of a script differ, told from their lines.
@Suite struct TradedPlacesTests {
  private func description(_ a: String, _ b: String) -> String? {
    func lines(_ text: String) -> [TraceLine] { text.split(separator: "\n").compactMap { TraceLine($0) } }
    return TradedPlaces(lines(a), lines(b), within: 20_000_000)?.description
  }

  /// Either thread is first at the lock; what the other one does first, it does not do at all in the other run.
  private func run(first: String, second: String) -> String {
    """
    0.050000000 \(first) lock m
    0.052000000 \(second) lock.wait m
    0.070000000 \(first) unlock m
    0.070000000 \(second) lock m
    0.090000000 \(second) unlock m
    """
  }

  @Test func eventsOfTwoThreadsThatTradePlacesAreNamed() {
    #expect(
      description(run(first: "a", second: "b"), run(first: "b", second: "a"))
        == "'lock m' on a and 'lock m' on b trade places: the script leaves to the speed of its threads which comes first"
    )
  }

  @Test func runsThatDoTheSameHaveNone() {
    let run = run(first: "a", second: "b")
    #expect(description(run, run) == nil)
    #expect(description(run, run.replacingOccurrences(of: "0.070000000", with: "0.075000000")) == nil)
  }
}
