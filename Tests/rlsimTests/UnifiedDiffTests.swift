import Testing

@testable import rlsim

@Suite struct UnifiedDiffTests {
  private func diff(_ old: String, _ new: String) -> [String] {
    UnifiedDiff(old: Array(old.utf8), new: Array(new.utf8)).lines()
  }

  private func lines(_ range: ClosedRange<Int>) -> String { range.map { "\($0)\n" }.joined() }

  @Test func equalTextsHaveNoDiff() {
    #expect(diff("", "") == [])
    #expect(diff("a\n", "a\n") == [])
  }

  @Test func aChangeHasThreeLinesOfContext() {
    let new = lines(1...20).replacingOnce("\n10\n", "\nten\n")
    #expect(
      diff(lines(1...20), new) == ["@@ -7,7 +7,7 @@", " 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13"])
  }

  @Test func changesNearEachOtherAreOneHunkAndOthersAreNot() {
    let near = lines(1...20).replacingOnce("\n5\n", "\nx\n").replacingOnce("\n12\n", "\ny\n")
    #expect(diff(lines(1...20), near).filter { $0.hasPrefix("@@") } == ["@@ -2,14 +2,14 @@"])
    let far = lines(1...20).replacingOnce("\n5\n", "\nx\n").replacingOnce("\n13\n", "\ny\n")
    #expect(diff(lines(1...20), far).filter { $0.hasPrefix("@@") } == ["@@ -2,7 +2,7 @@", "@@ -10,7 +10,7 @@"])
  }

  @Test func additionsAndRemovalsAtTheEnds() {
    #expect(diff("", "a\nb\n") == ["@@ -0,0 +1,2 @@", "+a", "+b"])
    #expect(diff("a\n", "") == ["@@ -1 +0,0 @@", "-a"])
    #expect(diff("b\n", "a\nb\n") == ["@@ -1 +1,2 @@", "+a", " b"])
  }

  @Test func aMissingLastLineBreakIsADifference() {
    #expect(diff("a\n", "a") == ["@@ -1 +1 @@", "-a", "+a", "\\ No newline at end of file"])
  }

  @Test func longDiffsAreCut() {
    let long = UnifiedDiff(old: [], new: Array(lines(1...100).utf8)).lines(limit: 5)
    #expect(long == ["@@ -0,0 +1,100 @@", "+1", "+2", "+3", "+4", "... and more (1 changed places in all)"])
  }

  @Test func firstDifferenceTellsTimeThreadAndEvent() {
    func first(_ old: String, _ new: String) -> String? {
      firstDifference(UnifiedDiff(old: Array(old.utf8), new: Array(new.utf8)))
    }
    let header = "rlsim-trace 1 semantics=apple seed=none\n"
    #expect(
      first(header + "0.100000000 main entry mode=default\n", header + "0.200000000 worker log hi there\n")
        == "first difference in line 2: expected 'entry mode=default' on main at 0.100000000, "
        + "got 'log hi there' on worker at 0.200000000")
    #expect(
      first(header, header + "0.100000000 - end reason=idle\n")
        == "first difference in line 2: expected the end of the trace, got 'end reason=idle' at 0.100000000")
    #expect(
      first(header + "0.100000000 - end reason=idle\n", header)
        == "first difference in line 2: expected 'end reason=idle' at 0.100000000, got the end of the trace")
    #expect(
      first(header, "rlsim-trace 1 semantics=linux seed=none\n")
        == "first difference in line 1: expected 'rlsim-trace 1 semantics=apple seed=none', "
        + "got 'rlsim-trace 1 semantics=linux seed=none'")
    #expect(first(header, header) == nil)
  }
}

extension String {
  fileprivate func replacingOnce(_ old: String, _ new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return replacingCharacters(in: range, with: new)
  }

  private func firstRange(of other: String) -> Range<Index>? {
    indices.first { self[$0...].hasPrefix(other) }.map { $0..<index($0, offsetBy: other.count) }
  }

  private func replacingCharacters(in range: Range<Index>, with new: String) -> String {
    var copy = self
    copy.replaceSubrange(range, with: new)
    return copy
  }
}
